import { FlipsideError, type Seat } from "@flipside-games/client";
import { useEffect, useState } from "preact/hooks";
import type { GameSession } from "../game/session";
import { draftOf, strategyOf } from "../game/strategies";
import { client, me } from "../guest";
import { useStore } from "../store";
import { isValid, StrategyFields, useStrategies } from "./strategyform";

/** The settings of the robots of a game, which apply from their next move on. */
export function RobotPanel({ session }: { session: GameSession }) {
  const { game, mine } = useStore(session);
  const [creator, setCreator] = useState(false);
  useEffect(() => {
    me().then((player) => setCreator(player.id === game?.creatorId), () => undefined);
  }, [game?.creatorId]);
  if (game?.state !== "GAME_STATE_ACTIVE" || (mine.length === 0 && !creator)) return null;
  return (
    <>
      {game.seats.filter((seat) => seat.robot).map((seat) => (
        <RobotSettings key={seat.side} session={session} seat={seat} />
      ))}
    </>
  );
}

function RobotSettings({ session, seat }: { session: GameSession; seat: Seat }) {
  const all = useStrategies();
  const inForce = JSON.stringify(seat.robot?.strategy);
  const [draft, setDraft] = useState(() => draftOf(seat.robot?.strategy));
  const [problems, setProblems] = useState<Record<string, string>>({});
  useEffect(() => setDraft(draftOf(seat.robot?.strategy)), [inForce]);
  const kind = session.state.game!.kind;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setProblems({});
    try {
      const strategy = strategyOf(all, draft);
      await client.setRobot(session.id, { ...seat.robot, side: seat.side, strategy });
      session.say(`${session.name(seat.side)} plays with the new settings from its next move on.`);
    } catch (error) {
      session.fail(error);
      setProblems(fieldProblems(error));
    }
  };
  return (
    <details class="robot">
      <summary>Robot settings: {session.name(seat.side)}</summary>
      <form onSubmit={(event: Event) => void submit(event)}>
        <StrategyFields label="Plays" kind={kind} draft={draft} all={all} problems={problems}
          onChange={setDraft} />
        <button type="submit" disabled={!isValid(all, draft)}>Apply</button>
      </form>
    </details>
  );
}

/** Returns the faults of a request by the last element of the field's path. */
export function fieldProblems(error: unknown): Record<string, string> {
  if (!(error instanceof FlipsideError)) return {};
  return Object.fromEntries(error.violations.map(({ field, description }) =>
    [field.slice(field.lastIndexOf(".") + 1), description]));
}
