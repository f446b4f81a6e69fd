import { cellKey, type Shape } from "./position";

export type Direction = "left" | "right" | "up" | "down";

/** The place of a cell in a drawing. */
export interface LayoutCell {
  readonly key: string;
  /** Row and place in the row, from 0. */
  readonly row: number;
  readonly index: number;
  /** Centre of the cell. */
  readonly x: number;
  readonly y: number;
  /** Path of the real shape, which also takes the clicks. */
  readonly path: string;
}

export interface Label {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** The geometry of a board: where cells lie and which ones are neighbours. */
export interface Layout {
  readonly shape: Shape;
  readonly viewBox: { x: number; y: number; width: number; height: number };
  readonly rows: readonly (readonly LayoutCell[])[];
  readonly cells: ReadonlyMap<string, LayoutCell>;
  /** Radius of a disc. */
  readonly radius: number;
  readonly labels: readonly Label[];
  /** Font size of the labels: larger on large boards, which are drawn smaller. */
  readonly labelSize: number;
  /** Marks on the corners of cells, for orientation. */
  readonly dots: readonly { x: number; y: number }[];
  /** The cell that an arrow key leads to, or undefined at the edge. */
  step(from: string, direction: Direction): string | undefined;
}

const layouts = new Map<string, Layout>();

/** Returns the layout of a board. The same shape has the same layout object. */
export function layoutOf(shape: Shape, labels: boolean): Layout {
  const name = JSON.stringify([shape, labels]);
  let layout = layouts.get(name);
  if (!layout) {
    layout = shape.kind === "hexagon" ? hexagon(shape, labels) : rectangle(shape, labels);
    layouts.set(name, layout);
  }
  return layout;
}

/** Distance from the centre of a hexagon to its corners. */
const hexSize = 10;
const hexWidth = hexSize * Math.sqrt(3);

function hexagon(shape: Shape & { kind: "hexagon" }, labels: boolean): Layout {
  const { rings } = shape;
  const rows: LayoutCell[][] = [];
  for (let row = 0; row <= 2 * rings; row++) {
    const r = row - rings;
    const firstQ = Math.max(-rings, -rings - r);
    const cells: LayoutCell[] = [];
    for (let index = 0; index < 2 * rings + 1 - Math.abs(r); index++) {
      const x = hexWidth * (firstQ + index + r / 2);
      const y = hexSize * 1.5 * r;
      cells.push({ key: cellKey(shape, row, index), row, index, x, y, path: hexPath(x, y) });
    }
    rows.push(cells);
  }
  const labelSize = 4 + 0.3 * rings;
  const margin = labels ? 1.4 * labelSize + 1.5 : 1.5;
  const halfWidth = hexWidth * (rings + 0.5) + margin;
  const halfHeight = hexSize * (1.5 * rings + 1) + margin;
  const axis: Label[] = [];
  if (labels) {
    rows.forEach((row, i) => {
      const first = row[0]!;
      axis.push({ x: first.x - hexWidth / 2 - labelSize * 0.85, y: first.y, text: String(i - rings) });
    });
    for (let q = -rings; q <= rings; q++) {
      // The lowest cell with this q; its diagonal leaves the board to the lower right.
      const r = Math.min(rings, rings - q);
      axis.push({
        x: hexWidth * (q + r / 2) + hexWidth / 4 + labelSize * 0.42,
        y: hexSize * 1.5 * r + hexSize * 0.75 + labelSize * 0.85,
        text: String(q),
      });
    }
  }
  const step = (from: string, direction: Direction): string => {
    const [q, r] = from.split(",").map(Number) as [number, number];
    switch (direction) {
      case "left": return `${q - 1},${r}`;
      case "right": return `${q + 1},${r}`;
      case "up": return `${q},${r - 1}`;
      case "down": return `${q},${r + 1}`;
    }
  };
  return complete(shape, rows, {
    viewBox: { x: -halfWidth, y: -halfHeight, width: 2 * halfWidth, height: 2 * halfHeight },
    radius: hexWidth * 0.38, labels: axis, labelSize, dots: [],
  }, step);
}

function hexPath(x: number, y: number): string {
  const half = hexWidth / 2;
  const points = [
    [x, y - hexSize], [x + half, y - hexSize / 2], [x + half, y + hexSize / 2],
    [x, y + hexSize], [x - half, y + hexSize / 2], [x - half, y - hexSize / 2],
  ];
  return `M${points.map((point) => point.map(short).join(" ")).join("L")}Z`;
}

/** Sides of a cell of a square board and of a grid of cards. */
export const squareSize = 20;
export const cardWidth = 60;
export const cardHeight = 72;

function rectangle(shape: Exclude<Shape, { kind: "hexagon" }>, labels: boolean): Layout {
  const cards = shape.kind === "grid";
  const [rowCount, columns] = cards ? [shape.rows, shape.columns] : [shape.side, shape.side];
  const [width, height] = cards ? [cardWidth, cardHeight] : [squareSize, squareSize];
  const rows = Array.from({ length: rowCount }, (_, row) =>
    Array.from({ length: columns }, (_, index): LayoutCell => ({
      key: cellKey(shape, row, index), row, index,
      x: (index + 0.5) * width, y: (row + 0.5) * height,
      path: `M${index * width} ${row * height}h${width}v${height}h${-width}Z`,
    })));
  const axis: Label[] = [];
  const labelSize = 2.2 + 0.18 * columns;
  if (labels && !cards) {
    for (let i = 0; i < rowCount; i++) {
      axis.push({ x: labelSize * (i < 9 ? 0.5 : 0.75), y: i * height + labelSize, text: String(i + 1) });
      axis.push({
        x: (i + 1) * width - labelSize * 0.5, y: rowCount * height - labelSize * 0.35, text: String.fromCharCode(97 + i),
      });
    }
  }
  const dots = cards || rowCount < 6 ? [] : [2, rowCount - 2].flatMap((row) =>
    [2, columns - 2].map((column) => ({ x: column * width, y: row * height })));
  const places = new Map(rows.flat().map((cell) => [cell.key, cell]));
  const step = (from: string, direction: Direction): string | undefined => {
    const { row, index } = places.get(from)!;
    switch (direction) {
      case "left": return rows[row]?.[index - 1]?.key;
      case "right": return rows[row]?.[index + 1]?.key;
      case "up": return rows[row - 1]?.[index]?.key;
      case "down": return rows[row + 1]?.[index]?.key;
    }
  };
  const edge = cards ? 2 : 0;
  return complete(shape, rows, {
    viewBox: {
      x: -edge, y: -edge, width: columns * width + 2 * edge, height: rowCount * height + 2 * edge,
    },
    radius: width * 0.39, labels: axis, labelSize, dots,
  }, step);
}

function complete(
  shape: Shape, rows: LayoutCell[][], drawing: Pick<Layout, "viewBox" | "radius" | "labels" | "labelSize" | "dots">,
  step: (from: string, direction: Direction) => string | undefined,
): Layout {
  const cells = new Map(rows.flat().map((cell) => [cell.key, cell]));
  return {
    shape, rows, cells, ...drawing,
    step(from, direction) {
      const to = step(from, direction);
      return to !== undefined && cells.has(to) ? to : undefined;
    },
  };
}

function short(value: number | undefined): string {
  return String(Math.round(value! * 100) / 100);
}
