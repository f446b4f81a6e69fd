import { draftLike } from "../game/draft";
import type { GameSession } from "../game/session";
import { useStore } from "../store";
import type { Panel } from "./actions";
import { actingSide, offerDraw, resign } from "./commands";
import { Dialog, Question } from "./dialog";
import { NewGameDialog } from "./newgame";

/** The open dialog of the game page. */
export function GameDialog({ session, panel, onClose }: {
  session: GameSession; panel: Panel | undefined; onClose: () => void;
}) {
  const { game } = useStore(session);
  switch (panel) {
    case "help":
      return <Help cards={game?.kind === "GAME_KIND_THREE_TRIOS"} onClose={onClose} />;
    case "draw":
      return <Question title="End the game in a draw?" yes="Draw" onYes={() => void offerDraw(session)}
        text="The game ends at once." onClose={onClose} />;
    case "resign":
      return <Question title="Resign?" yes="Resign" onYes={() => void resign(session)} onClose={onClose}
        text={`${session.name(actingSide(session))} loses the game at once.`} />;
    case "again":
      return game ? <NewGameDialog start={draftLike(game)} onClose={onClose} /> : null;
    default:
      return null;
  }
}

function Help({ cards, onClose }: { cards: boolean; onClose: () => void }) {
  const keys: [string, string][] = [
    ["Arrow keys", "Move the selection on the board. On hexagons, left and right follow q, up and down follow r."],
    ["Enter", "Place on the selected cell"],
    ["Space", "Select or deselect the cell"],
    ...(cards
      ? [
        ["1 to 9", "Select a card of your hand"], ["↑ ↓", "In your hand: select the next card"],
        ["q, w", "Hints for Red, hints for Blue"],
      ] as [string, string][]
      : [["p", "Pass"], ["h", "Hints"]] as [string, string][]),
    ["u", "Take back"], ["d", "Offer a draw"], ["r", "Resign"], ["n", "Rematch after the game"],
    ["← →", "Outside the board: step through the game"],
    ["Esc", "Deselect, or return to the current position"], ["?", "This help"],
  ];
  return (
    <Dialog title="Keys and mouse" onClose={onClose}>
      <dl class="keys">
        {keys.map(([key, meaning]) => (
          <div key={key}><dt><kbd>{key}</kbd></dt><dd>{meaning}</dd></div>
        ))}
      </dl>
      <p>{cards
        ? "Select a card, then click a cell. You can also drag a card to a cell."
        : "Click a cell to select it. Then click Place, press Enter, or double-click the cell. " +
          "In the settings you can choose to place with one click."}</p>
    </Dialog>
  );
}
