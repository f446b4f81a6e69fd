import { otherSide } from "../game/position";
import type { GameSession } from "../game/session";
import { describeAnalysis, result } from "../game/words";
import { useStore } from "../store";
import { useTick } from "./players";

/** The state of the game in one line, and the last message below it. */
export function Status({ session }: { session: GameSession }) {
  const { message, announcement } = useStore(session);
  return (
    <section class="status" aria-label="Status">
      <h1 class="status-line"><StatusLine session={session} /></h1>
      <Warnings session={session} />
      <p class={`message${message?.error ? " error" : ""}`} role="status" data-message>
        {message?.text ?? ""}
      </p>
      <p class="visually-hidden" aria-live="polite">{announcement}</p>
    </section>
  );
}

function StatusLine({ session }: { session: GameSession }) {
  const { game, mine, viewed, plies, pending } = useStore(session);
  if (!game) return <>Loading…</>;
  if (viewed !== undefined) return <>Position after {viewed} of {plies.length} moves</>;
  if (game.state === "GAME_STATE_WAITING") return <>Waiting for an opponent</>;
  if (game.state !== "GAME_STATE_ACTIVE") return <>{result(game, mine).title}</>;
  const turn = pending ? otherSide(pending.side) : game.turn?.side;
  const seat = game.seats.find((candidate) => candidate.side === turn);
  if (seat?.robot) return <Thinking key={game.version} session={session} name={session.name(turn)} />;
  if (turn && mine.length === 1 && mine.includes(turn)) {
    return <>Your turn ({session.name(turn)})</>;
  }
  return <>{session.name(turn)} to move</>;
}

/** Shows how long a robot has been thinking. */
function Thinking({ session, name }: { session: GameSession; name: string }) {
  useTick(250);
  const since = Date.parse(session.state.game?.updateTime ?? "");
  const elapsed = Math.max(0, Math.floor((session.now() - since) / 1000));
  const { delayed } = session.state;
  return (
    <>{name} is thinking… {elapsed} s
      {delayed && <small> (attempt {delayed.attempt} failed, trying again)</small>}</>
  );
}

function Warnings({ session }: { session: GameSession }) {
  const { game, viewed, plies, link } = useStore(session);
  const ply = viewed === undefined ? plies.at(-1) : plies[viewed - 1];
  const active = game?.state === "GAME_STATE_ACTIVE";
  const endsByPassing = game?.setup?.reversi?.passRule === "PASS_RULE_VOLUNTARY";
  const passes = ply?.notation === "pass" && active && viewed === undefined;
  return (
    <>
      {link.state === "waiting" && <Reconnecting until={link.until} />}
      {active && viewed === undefined && game.turn?.mustPass &&
        session.state.mine.includes(game.turn.side) &&
        <p class="warning">You have no move: pass.</p>}
      {passes && <p class="warning" data-passes>
        {session.name(ply.side)} passed{endsByPassing ? ": one more pass ends the game." : "."}
      </p>}
      {game?.outcome && viewed === undefined && <p class="result-detail">{result(game, []).detail}</p>}
      {ply?.analysis && ply.analysis.depth > 0 &&
        <p class="search" data-search>{session.name(ply.side)}: {describeAnalysis(ply.analysis)}</p>}
    </>
  );
}

function Reconnecting({ until }: { until: number }) {
  useTick(200);
  const left = Math.max(0, Math.ceil((until - Date.now()) / 1000));
  return (
    <p class="warning offline" role="alert" data-offline>
      The server cannot be reached. {left > 0 ? `Next attempt in ${left} s.` : "Trying again…"}
    </p>
  );
}
