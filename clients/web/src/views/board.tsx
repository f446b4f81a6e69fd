import { useEffect, useMemo, useRef } from "preact/hooks";
import { layoutOf, type Direction, type Layout } from "../game/layout";
import { type Content, contentsOf, shapeOf } from "../game/position";
import type { GameSession, Ply } from "../game/session";
import { causeName, pieces } from "../game/words";
import { preferences } from "../preferences";
import { useStore } from "../store";
import { cardWords } from "./card";
import { Cell, type CellProps } from "./cell";

const arrows: Record<string, Direction> = {
  ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down",
};

/**
 * The longest time between two taps that place, in milliseconds. For a mouse the setting of the
 * system counts as well: it numbers the clicks in `detail`.
 */
const doubleClick = 400;

/** The board of a game: a grid of buttons, drawn as SVG. */
export function Board({ session }: { session: GameSession }) {
  const state = useStore(session);
  const { labels, place, animation } = useStore(preferences);
  const { position, ply, index } = session.shown();
  const layout = layoutOf(shapeOf(position), labels);
  const contents = useMemo(() => contentsOf(position), [position]);
  const focus = state.cursor;
  const lastClick = useRef(0);
  const svg = useRef<SVGSVGElement>(null);
  const animated = animation && state.animated === index;
  const home = state.cell ?? focus ?? ply?.cell ?? centre(layout);

  const focusCell = (key: string): void => {
    svg.current?.querySelector<SVGElement>(`[data-cell="${key}"]`)?.focus();
  };
  const onClick = (event: MouseEvent): void => {
    const key = keyOf(event);
    if (key === undefined) return; // The page deselects.
    const { cell, card, game } = session.state; // A slow browser has not drawn the first click yet.
    const quick = event.detail === 2 || event.timeStamp - lastClick.current < doubleClick;
    const again = cell === key && quick;
    lastClick.current = event.timeStamp;
    if (game?.kind === "GAME_KIND_THREE_TRIOS") {
      if (card && contents.get(key)?.kind !== "card") session.place(key);
      else session.select(key);
    } else if (again || place === "click") {
      session.place(key);
    } else {
      session.select(key);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const key = keyOf(event);
    if (key === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    const direction = arrows[event.key];
    if (direction) {
      const to = layout.step(key, direction);
      if (to !== undefined) {
        focusCell(to);
        if (state.cell !== to) session.select(to);
      }
    } else if (event.key === "Enter") {
      session.place(key);
    } else if (event.key === " ") {
      session.select(key);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  useEffect(() => {
    session.focusBoard = () => focusCell(home);
  });

  const { x, y, width, height } = layout.viewBox;
  const { shape } = layout;
  const look = cellProps(session, layout, contents, ply, animated);
  return (
    <svg
      ref={svg} class={`board ${shape.kind}`} viewBox={`${x} ${y} ${width} ${height}`}
      role="grid" aria-label="Board" aria-rowcount={layout.rows.length}
      onClick={onClick} onKeyDown={onKeyDown}
      onFocusIn={(event: FocusEvent) => session.set({ cursor: keyOf(event) })}
      onFocusOut={() => session.set({ cursor: undefined })}
      onDragOver={(event: DragEvent) => event.preventDefault()}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        const key = keyOf(event);
        if (key !== undefined) session.place(key);
      }}
    >
      <Frame layout={layout} />
      {layout.rows.map((row, i) => (
        <g role="row" key={i} aria-rowindex={i + 1}>
          {row.map((cell) => (
            <Cell key={cell.key} {...look(cell.key)}
              cell={cell} layout={layout} moment={index} focusable={cell.key === home} />
          ))}
        </g>
      ))}
      <Overlay layout={layout} focus={focus} selected={state.cell} />
    </svg>
  );
}

/** What lies under and over the cells. */
function Frame({ layout }: { layout: Layout }) {
  const { x, y, width, height } = layout.viewBox;
  return (
    <g aria-hidden="true">
      {layout.shape.kind !== "hexagon" && <rect class="frame" x={x} y={y} width={width} height={height} />}
    </g>
  );
}

function Overlay({ layout, focus, selected }: {
  layout: Layout; focus: string | undefined; selected: string | undefined;
}) {
  const path = (key: string | undefined): string | undefined => layout.cells.get(key ?? "")?.path;
  return (
    <g class="overlay" aria-hidden="true">
      {layout.dots.map(({ x, y }) => <circle class="dot" key={`${x},${y}`} cx={x} cy={y} r={1.5} />)}
      <g style={{ fontSize: `${layout.labelSize}px` }}>
        {layout.labels.map(({ x, y, text }) => (
          <text class="label" key={`${x},${y}`} x={x} y={y}>{text}</text>
        ))}
      </g>
      {selected && <path class="selection" d={path(selected)} />}
      {focus && <path class="cursor" d={path(focus)} />}
    </g>
  );
}

/** Returns the function that gives the looks of a cell. */
function cellProps(
  session: GameSession, layout: Layout, contents: ReadonlyMap<string, Content>, ply: Ply | undefined,
  animated: boolean,
): (key: string) => Omit<CellProps, "cell" | "layout" | "moment" | "focusable"> {
  const { game, moves, viewed, pending, cell: selected, hints, mine } = session.state;
  const live = viewed === undefined && !pending && moves?.version === game?.version;
  const turn = game?.turn?.side;
  const list = live ? moves : undefined;
  const playable = list && list.side === turn && mine.includes(list.side);
  const flips = new Map(ply?.flips.map((flip) => [flip.notation, flip]));
  const threatened = new Set(playable && selected
    ? list.byCell.get(selected)?.flips.map((flip) => flip.notation) : []);
  return (key) => {
    const content = contents.get(key)!;
    const flip = flips.get(key);
    const last = ply?.cell === key;
    const move = list?.byCell.get(key);
    const hint = list && hints[list.side] ? move?.flipCount : undefined;
    const legal = Boolean(playable && move);
    const side = "side" in content ? content.side : undefined;
    const place = layout.cells.get(ply?.cell ?? "");
    const here = layout.cells.get(key)!;
    const distance = place ? Math.hypot(place.x - here.x, place.y - here.y) / (2 * layout.radius) : 0;
    const delay = content.kind === "card" ? (flip?.wave ?? 0) * 450 + 150 : distance * 45;
    return {
      kind: content.kind, side, card: content.kind === "card" ? content.card : undefined,
      legal, hint, selected: selected === key, last, flipped: flip !== undefined,
      delay: animated && (flip || last) ? (last ? 0 : delay) : undefined,
      cause: flip ? causeName(flip) : "", threatened: threatened.has(key),
      label: label(session, key, content, {
        legal: legal ? move?.flipCount : undefined, last, flipped: flip !== undefined,
      }),
    };
  };
}

/** Describes a cell for screen readers. */
function label(
  session: GameSession, key: string, content: Content,
  marks: { legal: number | undefined; last: boolean; flipped: boolean },
): string {
  const words = [key.replace(",", " ")];
  switch (content.kind) {
    case "card": words.push(`${session.name(content.side)}, ${cardWords(content.card)}`); break;
    case "disc": words.push(session.name(content.side)); break;
    default: words.push(content.kind);
  }
  if (marks.legal !== undefined) words.push(`legal, flips ${pieces(session.state.game?.kind, marks.legal)}`);
  if (marks.last) words.push("last move");
  if (marks.flipped) words.push("just flipped");
  return words.join(", ");
}

function keyOf(event: Event): string | undefined {
  return (event.target as Element).closest<SVGElement>("[data-cell]")?.dataset.cell;
}

function centre(layout: Layout): string {
  const row = layout.rows[layout.rows.length >> 1]!;
  return row[row.length >> 1]!.key;
}
