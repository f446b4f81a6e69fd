import type { OfferKind } from "@flipside-games/client";
import type { GameSession } from "../game/session";
import { describeOffer } from "../game/words";
import { gamePath } from "../router";
import { useStore } from "../store";
import {
  abort, askForDraw, claim, copyLink, decline, fork, join, mayAnalyse, offerDraw, rematch, takeBack,
} from "./commands";
import { useTick } from "./players";

/** The dialogs of the game page. */
export type Panel = "help" | "draw" | "resign" | "settings" | "again";

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
      <Claim session={session} />
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
        {mayAnalyse(session) && (
          <button type="button" aria-pressed={analysing} onClick={onAnalyse}>Analyse</button>
        )}
        {game?.state !== "GAME_STATE_WAITING" && (
          <button type="button" title="Play on from the position on the board, in a new game"
            onClick={() => void fork(session)}>Fork</button>
        )}
        {game?.state !== "GAME_STATE_WAITING" && (
          <button type="button" onClick={() => void copyLink(session)}>Copy link</button>
        )}
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
        <button type="button" onClick={() => askForDraw(session, onPanel)}>Draw</button>
        <button type="button" onClick={() => session.mayEnd() && onPanel("resign")}>Resign</button>
      </div>
    </>
  );
}

const accepts: Partial<Record<OfferKind, (session: GameSession) => Promise<void>>> = {
  OFFER_KIND_DRAW: offerDraw, OFFER_KIND_REMATCH: rematch, OFFER_KIND_TAKEBACK: takeBack,
};

/** Open offers: those of the opponent with both answers, the user's own with a way to withdraw. */
function Offers({ session }: { session: GameSession }) {
  const { game, mine } = useStore(session);
  if (mine.length !== 1) return null;
  return (
    <>
      {game?.offers.map(({ kind, side }) => {
        const accept = accepts[kind];
        if (!accept) return null;
        const own = mine.includes(side);
        return (
          <div class="offer" role="group" key={kind + side} aria-label="Offer">
            <span>{describeOffer(kind, own ? undefined : session.name(side))}</span>
            {!own && <button type="button" class="primary" onClick={() => void accept(session)}>Accept</button>}
            <button type="button" onClick={() => void decline(session, kind)}>
              {own ? "Withdraw" : "Decline"}
            </button>
          </div>
        );
      })}
    </>
  );
}

/** The claim of a game whose other player stays away, as soon as it is possible. */
function Claim({ session }: { session: GameSession }) {
  const { game, mine } = useStore(session);
  const time = game?.turn?.claimTime;
  const waiting = time !== undefined && mine.length === 1 && !mine.includes(game!.turn!.side);
  useTick(1000, waiting);
  if (!waiting || Date.parse(time) > session.now()) return null;
  return (
    <div class="offer" role="group" aria-label="Absent opponent">
      <span>{session.name(game!.turn!.side)} seems to be away.</span>
      <button type="button" onClick={() => void claim(session)}>Claim the game</button>
    </div>
  );
}

/** Open seats: an invitation for others, a choice for a visitor who came by the link. */
function Seats({ session }: { session: GameSession }) {
  const { game, mine, invitation } = useStore(session);
  if (game?.state !== "GAME_STATE_WAITING") return null;
  if (invitation) {
    return (
      <div class="offer" role="group" aria-label="Invitation">
        <span>You are invited to play {session.name(invitation)}.</span>
        <button type="button" class="primary" onClick={() => void join(session, invitation)}>Accept</button>
        <button type="button" onClick={() => void abort(session)}>Decline</button>
      </div>
    );
  }
  if (mine.length > 0) {
    return (
      <div class="invite">
        <p>Send this link to your opponent. The game starts when they join.</p>
        <input readOnly value={location.href} aria-label="Link of the game"
          onFocus={(event: FocusEvent) => (event.target as HTMLInputElement).select()} />
        <div class="buttons">
          <button type="button" class="primary" onClick={() => void copyLink(session)}>Copy link</button>
          <button type="button" onClick={() => void abort(session)}>Cancel the game</button>
        </div>
      </div>
    );
  }
  return (
    <div class="buttons">
      {game.seats.filter((seat) => seat.open).map(({ side }) => (
        <button type="button" class="primary" key={side} onClick={() => void join(session, side)}>
          Play {session.name(side)}
        </button>
      ))}
    </div>
  );
}
