import { useEffect, useRef } from "preact/hooks";
import type { GameSession, Ply } from "../game/session";
import { describePly } from "../game/words";
import { useStore } from "../store";
import { sideClass } from "./card";

/** The list of moves. It steps through the game with arrow keys and buttons. */
export function MoveList({ session }: { session: GameSession }) {
  const { plies, viewed } = useStore(session);
  const list = useRef<HTMLOListElement>(null);
  const at = viewed ?? plies.length;
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>("[aria-current]");
    const box = list.current;
    if (!box) return;
    // scrollIntoView would also scroll the page.
    box.scrollTop = current ? current.offsetTop - box.clientHeight / 2 : 0;
  }, [at, plies.length]);
  const step = (label: string, to: number, icon: string) => (
    <button type="button" class="icon" aria-label={label} title={label}
      disabled={to < 0 || to > plies.length || to === at} onClick={() => session.view(to)}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d={icon} /></svg>
    </button>
  );
  return (
    <section class="moves" aria-label="Moves">
      <ol ref={list} onKeyDown={(event: KeyboardEvent) => {
        if (stepWithKey(session, event.key)) {
          event.preventDefault();
          event.stopPropagation();
        }
      }}>
        {pairs(plies).map((pair, number) => (
          <li key={number}>
            <span class="move-number">{number + 1}</span>
            {pair.map((index, column) => index === undefined ? <span key={column} /> : (
              <Move key={column} session={session} index={index} current={at === index + 1} />
            ))}
          </li>
        ))}
        {plies.length === 0 && <li class="no-moves">No moves yet</li>}
      </ol>
      <div class="steps">
        {step("First position", 0, "M7 5v14M19 5l-9 7 9 7z")}
        {step("Previous move", at - 1, "M16 5l-9 7 9 7z")}
        {step("Next move", at + 1, "M8 5l9 7-9 7z")}
        {step("Latest position", plies.length, "M17 5v14M5 5l9 7-9 7z")}
      </div>
    </section>
  );
}

function Move({ session, index, current }: {
  session: GameSession; index: number; current: boolean;
}) {
  const ply = session.state.plies[index]!;
  return (
    <button type="button" class={`move ${sideClass(ply.side)}`} aria-current={current ? "step" : undefined}
      onClick={() => session.view(index + 1)}>
      <span class="visually-hidden">{index + 1}: {describePly(session.state.game?.kind, ply)}</span>
      <span class="move-text" aria-hidden="true">{ply.notation.replace("@", " ")}</span>
      {ply.flips.length > 0 && <span class="move-flips" aria-hidden="true">+{ply.flips.length}</span>}
    </button>
  );
}

/** Returns the indices of the plies in rows of two: the first side, then the second side. */
function pairs(plies: readonly Ply[]): (number | undefined)[][] {
  const rows: (number | undefined)[][] = [];
  plies.forEach((ply, index) => {
    const last = rows.at(-1);
    if (ply.side === "SIDE_SECOND" && last?.length === 1) last.push(index);
    else rows.push(ply.side === "SIDE_FIRST" ? [index] : [undefined, index]);
  });
  return rows;
}

/** Moves through the game if the key is one for that. */
export function stepWithKey(session: GameSession, key: string): boolean {
  const { plies, viewed } = session.state;
  const at = viewed ?? plies.length;
  switch (key) {
    case "ArrowLeft": session.view(at - 1); return true;
    case "ArrowRight": session.view(at + 1); return true;
    case "ArrowUp": case "Home": session.view(0); return true;
    case "ArrowDown": case "End": session.view(plies.length); return true;
    default: return false;
  }
}
