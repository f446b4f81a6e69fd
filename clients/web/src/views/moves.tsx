import { useEffect, useRef } from "preact/hooks";
import type { GameSession } from "../game/session";
import { describePly } from "../game/words";
import { useStore } from "../store";
import { sideClass } from "./card";

/** The list of moves. It steps through the game with arrow keys and buttons. */
export function MoveList({ session }: { session: GameSession }) {
  const { plies, viewed, game } = useStore(session);
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
      disabled={to < 0 || to > plies.length || to === at} onClick={() => session.view(to)}>{icon}</button>
  );
  return (
    <section class="moves" aria-label="Moves">
      <ol ref={list} onKeyDown={(event: KeyboardEvent) => {
        if (stepWithKey(session, event.key)) {
          event.preventDefault();
          event.stopPropagation();
        }
      }}>
        {plies.map((ply, i) => (
          <li key={ply.version}>
            <button type="button" class={`move ${sideClass(ply.side)}`}
              aria-current={at === i + 1 ? "step" : undefined}
              aria-label={`${i + 1}: ${describePly(game?.kind, ply)}`}
              onClick={() => session.view(i + 1)}>
              <span class="move-number">{i + 1}</span>
              <span class="move-text">{ply.notation}</span>
              {ply.flips.length > 0 && <span class="move-flips">{ply.flips.length}</span>}
            </button>
          </li>
        ))}
        {plies.length === 0 && <li class="no-moves">No moves yet</li>}
      </ol>
      <div class="steps">
        {step("First position", 0, "⏮")}
        {step("Previous move", at - 1, "◀")}
        {step("Next move", at + 1, "▶")}
        {step("Latest position", plies.length, "⏭")}
      </div>
    </section>
  );
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
