import type { Card, LegalMove, Position, Score, Side } from "@flipside-games/client";

/** What a cell holds. */
export type Content =
  | { kind: "empty" }
  | { kind: "hole" }
  | { kind: "disc"; side: Side }
  | { kind: "card"; side: Side; card: Card };

/** The form of a board. */
export type Shape =
  | { kind: "hexagon"; rings: number }
  | { kind: "square"; side: number }
  | { kind: "grid"; rows: number; columns: number };

export const sides: readonly Side[] = ["SIDE_FIRST", "SIDE_SECOND"];

export function otherSide(side: Side): Side {
  return side === "SIDE_FIRST" ? "SIDE_SECOND" : "SIDE_FIRST";
}

export function shapeOf(position: Position): Shape {
  const { reversi, threeTrios } = position;
  if (threeTrios) return { kind: "grid", rows: threeTrios.rows, columns: threeTrios.columns };
  const rows = reversi!.rows.length;
  return reversi!.corners[0]?.hex
    ? { kind: "hexagon", rings: (rows - 1) / 2 }
    : { kind: "square", side: rows };
}

/** Returns the key of a cell, its notation: `1,-2` on hexagons, `d3` on squares, `0,2` on grids. */
export function cellKey(shape: Shape, row: number, index: number): string {
  switch (shape.kind) {
    case "hexagon": {
      const r = row - shape.rings;
      return `${index + Math.max(-shape.rings, -shape.rings - r)},${r}`;
    }
    case "square":
      return String.fromCharCode(97 + index) + (row + 1);
    case "grid":
      return `${row},${index}`;
  }
}

/** Returns what each cell holds, by the key of the cell. */
export function contentsOf(position: Position): Map<string, Content> {
  const shape = shapeOf(position);
  const contents = new Map<string, Content>();
  position.reversi?.rows.forEach((row, r) => {
    [...row].forEach((letter, i) => contents.set(cellKey(shape, r, i), discContent(letter)));
  });
  position.threeTrios?.cells.forEach((cell, i) => {
    const { columns } = position.threeTrios!;
    const key = cellKey(shape, Math.floor(i / columns), i % columns);
    contents.set(key, cell.card
      ? { kind: "card", side: cell.owner, card: cell.card }
      : { kind: cell.hole ? "hole" : "empty" });
  });
  return contents;
}

function discContent(letter: string): Content {
  switch (letter) {
    case "X": return { kind: "disc", side: "SIDE_FIRST" };
    case "O": return { kind: "disc", side: "SIDE_SECOND" };
    default: return { kind: "empty" };
  }
}

/** The cell of a move, or undefined for a pass. */
export function cellOf(notation: string): string | undefined {
  return notation === "pass" ? undefined : notation.slice(notation.lastIndexOf("@") + 1);
}

export function cardOf(notation: string): string | undefined {
  const at = notation.lastIndexOf("@");
  return at < 0 ? undefined : notation.slice(0, at);
}

/**
 * Returns the position with the effect of a move that the server listed. It shows the move until
 * the server confirms it, and has the notation of the old position.
 */
export function withMove(position: Position, side: Side, move: LegalMove): Position {
  const changed = new Set([cellOf(move.notation), ...move.flips.map((flip) => flip.notation)]);
  const shape = shapeOf(position);
  const { reversi, threeTrios } = position;
  if (reversi) {
    const letter = side === "SIDE_FIRST" ? "X" : "O";
    const rows = reversi.rows.map((row, r) => [...row]
      .map((old, i) => (changed.has(cellKey(shape, r, i)) ? letter : old)).join(""));
    return { ...position, reversi: { ...reversi, rows } };
  }
  if (!threeTrios) return position;
  const { hands, columns } = threeTrios;
  const name = cardOf(move.notation);
  const hand = side === "SIDE_FIRST" ? "first" : "second";
  const played = hands?.[hand].find((card) => card.name === name);
  const cells = threeTrios.cells.map((cell, i) => {
    if (!changed.has(cellKey(shape, Math.floor(i / columns), i % columns))) return cell;
    const card = cell.card ?? played;
    return card ? { card, owner: side } : cell;
  });
  const rest = hands && { ...hands, [hand]: hands[hand].filter((card) => card !== played) };
  return {
    ...position,
    threeTrios: { ...threeTrios, cells, ...(rest ? { hands: rest } : {}) },
  };
}

/** Returns the hand of a side, in hand order. */
export function handOf(position: Position, side: Side): readonly Card[] {
  const hands = position.threeTrios?.hands;
  return (side === "SIDE_FIRST" ? hands?.first : hands?.second) ?? [];
}

/** Counts what each side owns. Events carry the score of every later position. */
export function ownedIn(position: Position): Score {
  const score = { first: 0, second: 0 };
  for (const content of contentsOf(position).values()) {
    if (!("side" in content)) continue;
    score[content.side === "SIDE_FIRST" ? "first" : "second"]++;
  }
  score.first += handOf(position, "SIDE_FIRST").length;
  score.second += handOf(position, "SIDE_SECOND").length;
  return score;
}
