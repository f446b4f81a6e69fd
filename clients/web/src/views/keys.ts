import { useEffect } from "preact/hooks";
import type { GameSession } from "../game/session";
import type { Panel } from "./actions";
import { askForDraw, rematch, takeBack } from "./commands";
import { stepWithKey } from "./moves";

/** Handles the keys that work everywhere on the page of a game. */
export function useGameKeys(
  session: GameSession, panel: Panel | undefined, setPanel: (panel: Panel) => void,
): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      const busy = panel !== undefined || document.querySelector("dialog[open]");
      if (busy || event.ctrlKey || event.altKey || event.metaKey || target.closest("input, select, textarea")) return;
      if (handle(session, event, setPanel)) event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  });
}

function handle(session: GameSession, event: KeyboardEvent, setPanel: (panel: Panel) => void): boolean {
  const { game, viewed } = session.state;
  const cards = game?.kind === "GAME_KIND_THREE_TRIOS";
  switch (event.key) {
    case "Enter":
      // A focused button handles its own Enter.
      if ((event.target as Element).closest("button, a, [role=button]")) return false;
      session.place();
      return true;
    case "Escape":
      if (viewed !== undefined) session.view(Number.POSITIVE_INFINITY);
      else session.clearSelection();
      return true;
    case "p": session.pass(); return true;
    case "h": session.toggleHints(hintSide(session)); return true;
    case "u": void takeBack(session); return true;
    case "d": askForDraw(session, setPanel); return true;
    case "r": if (session.mayEnd()) setPanel("resign"); return true;
    case "n": void rematch(session); return true;
    case "?": setPanel("help"); return true;
  }
  if (cards) {
    const inHand = Boolean((event.target as Element).closest(".hand"));
    if (event.key === "q") session.toggleHints("SIDE_FIRST");
    else if (event.key === "w") session.toggleHints("SIDE_SECOND");
    else if (/^[0-9]$/.test(event.key)) session.selectCardAt((Number(event.key) + 9) % 10);
    else if (inHand && event.key === "ArrowDown") session.selectNextCard(1);
    else if (inHand && event.key === "ArrowUp") session.selectNextCard(-1);
    else return arrow(session, event.key);
    return true;
  }
  return arrow(session, event.key);
}

/** Arrow keys outside the board enter it while the user plays, and step through the game else. */
function arrow(session: GameSession, key: string): boolean {
  const { game, mine, viewed } = session.state;
  const playing = game?.state === "GAME_STATE_ACTIVE" && mine.length > 0 && viewed === undefined;
  if (playing && /^Arrow/.test(key)) {
    session.focusBoard();
    return true;
  }
  return stepWithKey(session, key);
}

/** The side whose hints `h` toggles. */
function hintSide(session: GameSession): "SIDE_FIRST" | "SIDE_SECOND" {
  const { game, mine } = session.state;
  const turn = game?.turn?.side;
  const side = turn && mine.includes(turn) ? turn : mine[0] ?? turn;
  return side === "SIDE_SECOND" ? "SIDE_SECOND" : "SIDE_FIRST";
}
