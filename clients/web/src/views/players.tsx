import type { Game, Side } from "@flipside-games/client";
import { useEffect, useState } from "preact/hooks";
import type { GameSession } from "../game/session";
import { seatName } from "../game/words";
import { useStore } from "../store";
import { sideClass } from "./card";

/** Renders the view again at an interval. */
export function useTick(milliseconds: number, running = true): void {
  const [, render] = useState({});
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => render({}), milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds, running]);
}

/** The strip of one side: colour, name, score and clock. */
export function PlayerStrip({ session, side }: { session: GameSession; side: Side }) {
  const { game, mine, viewed } = useStore(session);
  const seat = game?.seats.find((candidate) => candidate.side === side);
  const { score } = session.shown();
  const active = viewed === undefined && game?.state === "GAME_STATE_ACTIVE" && session.turn() === side;
  return (
    <section class={`player ${sideClass(side)}${active ? " active" : ""}`}
      aria-label={`${session.name(side)}: ${seatName(seat)}`}>
      <span class={`token ${sideClass(side)} ${game?.kind === "GAME_KIND_THREE_TRIOS" ? "cards" : "discs"}`}
        aria-hidden="true" />
      <span class="player-name">
        <b>{session.name(side)}</b>
        <span>{mine.includes(side) && mine.length === 1 ? "You" : seatName(seat)}</span>
      </span>
      {game?.clocks && <Clock session={session} game={game} side={side} />}
      <span class="score" aria-label={`${session.name(side)} score`} data-score={sideClass(side)}>
        {side === "SIDE_FIRST" ? score.first : score.second}
      </span>
    </section>
  );
}

function Clock({ session, game, side }: { session: GameSession; game: Game; side: Side }) {
  const running = game.turn?.side === side && game.turn.deadline !== undefined;
  useTick(200, running);
  const stored = Number.parseFloat((side === "SIDE_FIRST" ? game.clocks!.first : game.clocks!.second) ?? "0");
  const left = running ? Math.max(0, (Date.parse(game.turn!.deadline!) - session.now()) / 1000) : stored;
  const urgent = running && left < 10;
  return (
    <time class={`clock${running ? " running" : ""}${urgent ? " urgent" : ""}`} role="timer"
      aria-label={`${session.name(side)} clock`}>{clockText(left)}</time>
  );
}

/** Formats seconds as on a chess clock. */
export function clockText(left: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  if (left >= 86_400) return `${Math.floor(left / 86_400)} d ${Math.floor(left % 86_400 / 3600)} h`;
  if (left >= 3600) return `${Math.floor(left / 3600)}:${two(left % 3600 / 60)}:${two(left % 60)}`;
  if (left < 10) return `0:0${(Math.floor(left * 10) / 10).toFixed(1)}`;
  return `${Math.floor(left / 60)}:${two(left % 60)}`;
}
