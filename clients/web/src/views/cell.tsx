import type { Card, Side } from "@flipside-games/client";
import { cardHeight, cardWidth, type Layout, type LayoutCell } from "../game/layout";
import type { Content } from "../game/position";
import { CardFace, sideClass } from "./card";
import { memo } from "./memo";

/** How a cell looks at the moment. */
export interface CellProps {
  cell: LayoutCell;
  layout: Layout;
  kind: Content["kind"];
  side: Side | undefined;
  card: Card | undefined;
  /** Whether the user may play here now. */
  legal: boolean;
  hint: number | undefined;
  selected: boolean;
  focusable: boolean;
  last: boolean;
  /** Whether the last move flipped the piece here. */
  flipped: boolean;
  /** Milliseconds until the flip is animated; undefined for no animation. */
  delay: number | undefined;
  /** Identifies the move, so that each move starts an animation. */
  moment: number;
  cause: string;
  /** Whether the selected move would flip the piece here. */
  threatened: boolean;
  label: string;
}

/** One cell: a button of the real shape, and what lies on it. */
export const Cell = memo((props: CellProps) => {
  const { cell, kind, legal, selected, focusable, last, label } = props;
  const classes = ["cell", kind, legal && "legal", selected && "selected", last && "last"];
  return (
    <g role="gridcell" aria-selected={selected} aria-colindex={cell.index + 1}>
      <path
        class={classes.filter(Boolean).join(" ")} d={cell.path} data-cell={cell.key}
        role="button" aria-label={label} aria-pressed={selected} tabindex={focusable ? 0 : -1}
      />
      <g class="on-cell" aria-hidden="true">
        <Piece {...props} />
        <Marks {...props} />
      </g>
    </g>
  );
});

function Piece({ cell, layout, kind, side, card, flipped, delay, moment, cause, last }: CellProps) {
  if (kind === "hole") return <Hole cell={cell} />;
  if (!side || (kind !== "disc" && kind !== "card")) return null;
  const animation = delay === undefined ? "" : flipped ? " flip" : last ? " appear" : "";
  const style = delay === undefined ? undefined : { "--delay": `${delay}ms` };
  const key = animation ? `${moment}` : "still";
  if (kind === "disc") {
    return (
      <g key={key} class={`disc ${sideClass(side)}${animation}`} style={style}>
        <circle class="face" cx={cell.x} cy={cell.y} r={layout.radius} />
        <circle class="rim" cx={cell.x} cy={cell.y} r={layout.radius * 0.78} />
      </g>
    );
  }
  return (
    <g key={key} transform={`translate(${cell.x - cardWidth / 2} ${cell.y - cardHeight / 2})`}>
      <g class={`placed-card${animation}`} style={style}>
        {animation === " flip" && (
          <g class="old-face">
            <CardFace card={card!} side={side === "SIDE_FIRST" ? "SIDE_SECOND" : "SIDE_FIRST"} />
          </g>
        )}
        <g class="new-face"><CardFace card={card!} side={side} /></g>
      </g>
      {cause && <CauseTag text={cause} style={style} animated={animation === " flip"} />}
    </g>
  );
}

function CauseTag({ text, style, animated }: {
  text: string; style: Record<string, string> | undefined; animated: boolean;
}) {
  const width = cardWidth - 10;
  return (
    <g class={`cause${animated ? " flip-tag" : ""}`} style={style}
      transform={`translate(${cardWidth / 2} ${cardHeight - 9})`}>
      <rect x={-width / 2} y={-6} width={width} height={11} rx={5.5} />
      <text y={2.4}>{text}</text>
    </g>
  );
}

/** Holes are hatched, so that they differ from card cells without colour. */
function Hole({ cell }: { cell: LayoutCell }) {
  const [left, top] = [cell.x - cardWidth / 2, cell.y - cardHeight / 2];
  return (
    <path class="hatch" d={[0.25, 0.5, 0.75, 1].map((part) =>
      `M${left} ${top + cardHeight * part}L${left + cardWidth * part} ${top}` +
      `M${left + cardWidth * part} ${top + cardHeight}L${left + cardWidth} ${top + cardHeight * part}`,
    ).join("")} />
  );
}

function Marks({ cell, layout, kind, legal, hint, last, flipped, threatened, side }: CellProps) {
  const owner = side ? sideClass(side) : "";
  return (
    <>
      {legal && hint === undefined && kind === "empty" &&
        <circle class="legal-dot" cx={cell.x} cy={cell.y} r={layout.radius * 0.24} />}
      {hint !== undefined &&
        <text class="hint" x={cell.x} y={cell.y} style={{ fontSize: `${layout.radius * 0.95}px` }}>
          {hint}
        </text>}
      {kind === "disc" && last &&
        <circle class={`last-mark ${owner}`} cx={cell.x} cy={cell.y} r={layout.radius * 0.24} />}
      {kind === "disc" && flipped &&
        <circle class={`flip-mark ${owner}`} cx={cell.x} cy={cell.y} r={layout.radius * 0.3} />}
      {threatened && kind === "disc" &&
        <circle class="threat" cx={cell.x} cy={cell.y} r={layout.radius * 0.55} />}
      {kind === "card" && (last || flipped || threatened) &&
        <rect class={`card-frame ${threatened ? "threat" : last ? "last" : "flipped"}`}
          x={cell.x - cardWidth / 2 + 1.5} y={cell.y - cardHeight / 2 + 1.5}
          width={cardWidth - 3} height={cardHeight - 3} rx={5} />}
    </>
  );
}
