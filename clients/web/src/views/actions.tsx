import type { GameSession } from "../game/session";
import { gamePath } from "../router";
import { useStore } from "../store";
import { copyLink, decline, fork, join, mayAnalyse, offerDraw, rematch, takeBack } from "./commands";

/** The dialogs of the game page. */
export type Panel = "help" | "resign" | "settings" | "again";

interface ActionProps {
  session: GameSession;
  analysing: boolean;
  onPanel: (panel: Panel) => void;
  onAnalyse: () => void;
}

/** The buttons of a game: first what the user can do now, then the rest. */
export function Actions(props: ActionProps) {
  const { session, analysing, onPanel, onAnalyse } = props;
  const { game, mine } = useStore(session);
  const playing = game?.state === "GAME_STATE_ACTIVE" && mine.length > 0;
  return (
    <section class="actions" aria-label="Actions">
      <Offers session={session} />
      <Seats session={session} />
      {playing && <PlayButtons session={session} onPanel={onPanel} />}
      {game?.state === "GAME_STATE_FINISHED" && mine.length > 0 && (
        <div class="buttons">
          {game.rematch
            ? <a class="button" href={gamePath(game.rematch)}>Go to the rematch</a>
            : <button type="button" class="primary" onClick={() => void rematch(session)}>Rematch</button>}
          <button type="button" onClick={() => onPanel("again")}>New game with these settings</button>
        </div>
      )}
      <div class="buttons links">
        {mayAnalyse(game, mine) && (
          <button type="button" aria-pressed={analysing} onClick={onAnalyse}>Analyse</button>
        )}
        {game?.state !== "GAME_STATE_WAITING" && (
          <button type="button" title="Play on from the position on the board, in a new game"
            onClick={() => void fork(session)}>Fork</button>
        )}
        <button type="button" onClick={() => void copyLink(session)}>Copy link</button>
        <button type="button" onClick={() => onPanel("help")}>Keys</button>
      </div>
    </section>
  );
}

function PlayButtons({ session, onPanel }: { session: GameSession; onPanel: (panel: Panel) => void }) {
  const { game, cell, card, mine, viewed, hints } = useStore(session);
  const cards = game?.kind === "GAME_KIND_THREE_TRIOS";
  const turn = session.turn();
  const myTurn = turn !== undefined && mine.includes(turn) && viewed === undefined && session.current;
  const side = myTurn ? turn : mine[0]!;
  return (
    <>
      <div class="buttons">
        <button type="button" class="primary place" disabled={!myTurn || !cell || (cards && !card)}
          onClick={() => session.place()}>Place{cell ? ` on ${cell.replace(",", ", ")}` : ""}</button>
        {!cards && <button type="button" disabled={!myTurn} onClick={() => session.pass()}>Pass</button>}
      </div>
      <div class="buttons quiet">
        {cards
          ? (["SIDE_FIRST", "SIDE_SECOND"] as const).map((hinted) => (
            <button type="button" key={hinted} aria-pressed={Boolean(hints[hinted])}
              onClick={() => session.toggleHints(hinted)}>{session.name(hinted)}'s hints</button>))
          : <button type="button" aria-pressed={Boolean(hints[side])}
              onClick={() => session.toggleHints(side)}>Hints</button>}
        <button type="button" onClick={() => void takeBack(session)}>Take back</button>
        <button type="button" onClick={() => void offerDraw(session)}>Draw</button>
        <button type="button" onClick={() => session.mayResign() && onPanel("resign")}>Resign</button>
      </div>
    </>
  );
}

/** Open offers of the opponent, with both answers. */
function Offers({ session }: { session: GameSession }) {
  const { game, mine } = useStore(session);
  const open = game?.offers?.filter((offer) => mine.length === 1 && !mine.includes(offer.side)) ?? [];
  return (
    <>
      {open.map(({ kind, side }) => {
        const [text, accept] = kind === "OFFER_KIND_DRAW"
          ? ["offers a draw", offerDraw]
          : kind === "OFFER_KIND_REMATCH"
            ? ["offers a rematch", rematch]
            : ["asks to take a move back", takeBack];
        return (
          <div class="offer" role="group" key={kind} aria-label="Offer">
            <span>{session.name(side)} {text as string}.</span>
            <button type="button" class="primary"
              onClick={() => void (accept as typeof rematch)(session)}>Accept</button>
            <button type="button" onClick={() => void decline(session, kind)}>Decline</button>
          </div>
        );
      })}
    </>
  );
}

/** Open seats: an invitation for others, a choice for whoever came by the link. */
function Seats({ session }: { session: GameSession }) {
  const { game, mine } = useStore(session);
  if (game?.state !== "GAME_STATE_WAITING") return null;
  const open = game.seats.filter((seat) => seat.open);
  if (mine.length > 0) {
    return (
      <div class="invite">
        <p>Send this link to your opponent. The game starts when they join.</p>
        <input readOnly value={location.href} aria-label="Link of the game"
          onFocus={(event: FocusEvent) => (event.target as HTMLInputElement).select()} />
      </div>
    );
  }
  return (
    <div class="buttons">
      {open.map(({ side }) => (
        <button type="button" class="primary" key={side} onClick={() => void join(session, side)}>
          Play {session.name(side)}
        </button>
      ))}
    </div>
  );
}
