import { type Analysis, FlipsideError, type Side } from "@flipside-games/client";
import { useEffect, useState } from "preact/hooks";
import type { GameSession } from "../game/session";
import { asSentence, describeAnalysis } from "../game/words";
import { asMe, client } from "../guest";
import { useStore } from "../store";
import { sideClass } from "./card";

/** The state of the analysis of the position on the board. */
export interface AnalysisState {
  /** The side to move, for which scores count; undefined without an analysis. */
  side: Side | undefined;
  analysis: Analysis | undefined;
  problem: string | undefined;
}

const none: AnalysisState = { side: undefined, analysis: undefined, problem: undefined };

/** Analyses the position on the board, each time it changes. */
export function useAnalysis(session: GameSession, on: boolean): AnalysisState {
  useStore(session);
  const [state, setState] = useState(none);
  const { position } = session.shown();
  const { notation } = position;
  useEffect(() => {
    if (!on || session.state.pending) return;
    const stop = new AbortController();
    const side = session.sideToMove();
    setState({ ...none, side });
    void run(notation, side, stop.signal, setState);
    return () => stop.abort();
  }, [on, notation, session.state.pending]);
  return on ? state : none;
}

async function run(
  notation: string, side: Side | undefined, signal: AbortSignal,
  set: (state: AnalysisState) => void,
): Promise<void> {
  try {
    const request = { position: { notation }, strategy: { engine: { maxTime: "8s" } }, multiPv: 3 };
    await asMe(async () => {
      for await (const analysis of client.analyze(request, signal)) {
        set({ side, analysis, problem: undefined });
      }
    });
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof FlipsideError)) throw error;
    set({ ...none, problem: asSentence(error.message) });
  }
}

/** Best lines of the position. The panel cuts a line at its edge. */
export function AnalysisPanel({ session, analysis: state }: {
  session: GameSession; analysis: AnalysisState;
}) {
  const { analysis, problem, side } = state;
  const lines = analysis?.multiPv.length ? analysis.multiPv : analysis ? [analysis] : [];
  return (
    <section class="analysis" aria-label="Analysis">
      <h2>Analysis{side && ` for ${session.name(side)}`}</h2>
      {problem && <p class="warning">{problem}</p>}
      {!analysis && !problem && <p>Thinking…</p>}
      {analysis && <p class="search">{describeAnalysis(analysis)}{analysis.final ? "" : "…"}</p>}
      <ol>
        {lines.map((line, i) => (
          <li key={i}>
            <b class="line-score">{line.score > 0 ? "+" : ""}{line.score}</b>{" "}
            {line.principalVariation.slice(0, 12).join("  ")}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A bar that shows how the game stands: the light part is the share of the upper side. */
export function EvaluationBar({ session, analysis: state, below }: {
  session: GameSession; analysis: AnalysisState; below: Side;
}) {
  const { analysis, side } = state;
  const { score } = session.shown();
  const own = below === "SIDE_FIRST" ? score.first - score.second : score.second - score.first;
  const value = analysis ? (side === below ? analysis.score : -analysis.score) : own;
  const share = 50 + 50 * Math.tanh(value / 20);
  const sign = value > 0 ? "+" : "";
  return (
    <div class={`evaluation ${sideClass(below)}${share < 6 ? " low" : ""}`} role="img"
      aria-label={`Evaluation for ${session.name(below)}: ${sign}${value}`}>
      <div class="evaluation-share" style={{ height: `${share}%` }} />
      <span>{sign}{value}</span>
    </div>
  );
}
