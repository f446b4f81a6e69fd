import { useEffect } from "preact/hooks";
import { specialRules } from "../game/draft";
import type { GameSession } from "../game/session";
import { describeAnalysis, result, setupName } from "../game/words";
import { useStore } from "../store";
import { useTick } from "./players";

/** The state of the game in one line, and the last message below it. */
export function Status({ session }: { session: GameSession }) {
  const { message, announcement, game, mine } = useStore(session);
  const turn = game?.turn?.side;
  useEffect(() => {
    const own = turn && mine.length === 1 && mine.includes(turn);
    document.title = `${own ? "Your turn · " : ""}${setupName(game?.setup)} · Flipside`;
    return () => { document.title = "Flipside"; };
  }, [turn, mine.length]);
  return (
    <section class="status" aria-label="Status">
      <h1 class="status-line"><StatusLine session={session} /><Coordinates session={session} /></h1>
      <Warnings session={session} />
      <p class={`message${message?.error ? " error" : ""}`} role="status" data-message>
        {message?.text ?? tip(session)}
      </p>
      <p class="visually-hidden" aria-live="polite">{announcement}</p>
    </section>
  );
}

function StatusLine({ session }: { session: GameSession }) {
  const { game, mine, viewed, plies } = useStore(session);
  if (!game) return <>Loading…</>;
  if (viewed !== undefined) return <>Position after {viewed} of {plies.length} moves</>;
  if (game.state === "GAME_STATE_WAITING") {
    return session.state.invitation ? <>You are invited</> : <>Waiting for an opponent</>;
  }
  if (game.state !== "GAME_STATE_ACTIVE") return <>{result(game, mine).title}</>;
  const turn = session.turn();
  const seat = game.seats.find((candidate) => candidate.side === turn);
  if (seat?.robot) return <Thinking session={session} name={session.name(turn)} />;
  if (turn && mine.length === 1 && mine.includes(turn)) {
    return <>Your turn ({session.name(turn)})</>;
  }
  return <>{session.name(turn)} to move</>;
}

/** Shows how long a robot has been thinking. */
function Thinking({ session, name }: { session: GameSession; name: string }) {
  useTick(250);
  const { game, plies } = session.state;
  const since = Math.max(Date.parse(game?.updateTime ?? ""), plies.at(-1)?.time ?? 0);
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
        <p class="warning" data-must-pass>You have no move: pass.</p>}
      {passes && <p class="warning" data-passes>
        {session.name(ply.side)} passed{endsByPassing ? ": one more pass ends the game." : "."}
      </p>}
      {game?.outcome && viewed === undefined && <p class="result-detail">{result(game, []).detail}</p>}
    </>
  );
}

/** The rules that differ from the default, for players before they join too. */
export function Rules({ session }: { session: GameSession }) {
  const { game } = useStore(session);
  const rules = game ? specialRules(game) : [];
  return rules.length > 0 ? <p class="rules" data-rules><b>Rules</b> {rules.join(" · ")}</p> : null;
}

/** Tells a new player how to move. */
function tip(session: GameSession): string {
  const { game, mine, plies, cell, card } = session.state;
  const turn = game?.turn?.side;
  if (!turn || !mine.includes(turn) || game.turn?.mustPass || plies.length > 3) return "";
  if (game.kind === "GAME_KIND_THREE_TRIOS") {
    return card ? "Now click a cell." : "Click a card of your hand, then a cell.";
  }
  return cell ? "Click Place, press Enter, or double-click." : "Click one of the lighter cells.";
}

/** How far the robot to move has searched, or else how far a robot searched for the last move. */
export function SearchResult({ session }: { session: GameSession }) {
  const { plies, viewed, thinking } = useStore(session);
  if (thinking && viewed === undefined) {
    return <p class="search" data-search="live">
      {session.name(thinking.side)}: {describeAnalysis(thinking.analysis)}
    </p>;
  }
  const shown = plies.slice(0, viewed ?? plies.length);
  const ply = shown.findLast(({ analysis }) => analysis && analysis.depth > 0);
  if (!ply?.analysis) return null;
  return <p class="search" data-search>{session.name(ply.side)}: {describeAnalysis(ply.analysis)}</p>;
}

/** The axial coordinates of the cursor on hexagons. */
function Coordinates({ session }: { session: GameSession }) {
  const { game, cell, cursor } = useStore(session);
  const key = cursor ?? cell;
  if (!game?.setup?.reversi?.hexagon || !key) return null;
  const [q, r] = key.split(",").map(Number) as [number, number];
  return <span class="coordinates" data-coordinates>q {q}, r {r}, s {0 - q - r}</span>;
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
