import { useEffect, useMemo, useState } from "preact/hooks";
import { layoutOf } from "../game/layout";
import { otherSide, shapeOf } from "../game/position";
import { GameSession } from "../game/session";
import { preferences } from "../preferences";
import { useStore } from "../store";
import { Actions, type Panel } from "./actions";
import { AnalysisPanel, EvaluationBar, useAnalysis } from "./analysis";
import { Board } from "./board";
import { GameDialog } from "./gamedialog";
import { Hand } from "./hand";
import { useGameKeys } from "./keys";
import { MoveList } from "./moves";
import { PlayerStrip } from "./players";
import { RobotPanel } from "./robot";
import { Rules, SearchResult, Status } from "./status";

/** The page of one game. */
export function GamePage({ id }: { id: string }) {
  const session = useMemo(() => new GameSession(id), [id]);
  useEffect(() => {
    void session.open();
    return () => session.close();
  }, [session]);
  const { failure, game } = useStore(session);
  if (failure) {
    return (
      <main class="notice">
        <h1>This game cannot be shown</h1>
        <p>{failure}</p>
        <p><a href="/">Back to the menu</a></p>
      </main>
    );
  }
  return game ? <OpenGame session={session} /> : <Loading session={session} />;
}

function Loading({ session }: { session: GameSession }) {
  return <main class="notice"><Status session={session} /></main>;
}

function OpenGame({ session }: { session: GameSession }) {
  const { game, mine, start } = useStore(session);
  const { labels } = useStore(preferences);
  const [panel, setPanel] = useState<Panel>();
  const [analysing, setAnalysing] = useState(false);
  const analysis = useAnalysis(session, analysing);
  useGameKeys(session, panel, setPanel);
  const cards = game?.kind === "GAME_KIND_THREE_TRIOS";
  const below = mine.length === 1 ? mine[0]! : "SIDE_FIRST";
  if (!start) return <Loading session={session} />;
  const { shape, viewBox } = layoutOf(shapeOf(start), labels);
  const narrow = shape.kind === "grid" && shape.columns > 4;
  return (
    <main class={`game ${cards ? "cards" : "discs"}${narrow ? " wide-grid" : ""}`}
      data-game={game?.id} data-turn={turnOf(session)} style={{ "--ratio": String(viewBox.width / viewBox.height) }}
      onClick={(event: MouseEvent) => {
        if (!(event.target as Element).closest("[data-cell], button, a, input, select, dialog")) {
          session.select(undefined);
        }
      }}>
      <div class="table">
        <PlayerStrip session={session} side={otherSide(below)} />
        <div class={`board-area${analysing ? " with-bar" : ""}`}>
          {cards && <Hand session={session} side="SIDE_FIRST" />}
          <Board session={session} />
          {cards && <Hand session={session} side="SIDE_SECOND" />}
          {analysing && <EvaluationBar session={session} analysis={analysis} below={below} />}
        </div>
        <PlayerStrip session={session} side={below} />
      </div>
      <aside class="side">
        <Status session={session} />
        <Rules session={session} />
        <Actions session={session} onPanel={setPanel} analysing={analysing}
          onAnalyse={() => setAnalysing(!analysing)} />
        {analysing && <AnalysisPanel session={session} analysis={analysis} />}
        <MoveList session={session} />
        <SearchResult session={session} />
        <RobotPanel session={session} />
      </aside>
      <GameDialog session={session} panel={panel} onClose={() => setPanel(undefined)} />
    </main>
  );
}

/** Who is to move from the view of the user. */
function turnOf(session: GameSession): "own" | "other" | "waiting" | "over" {
  const { game, mine } = session.state;
  const turn = session.turn();
  if (game?.state === "GAME_STATE_WAITING") return "waiting";
  if (game?.state !== "GAME_STATE_ACTIVE" || !turn) return "over";
  return mine.includes(turn) && session.current ? "own" : "other";
}
