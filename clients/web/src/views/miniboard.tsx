import type { Position } from "@flipside-games/client";
import { cardHeight, cardWidth, layoutOf } from "../game/layout";
import { contentsOf, shapeOf } from "../game/position";
import { sideClass } from "./card";

/** A small picture of a position. */
export function MiniBoard({ position }: { position: Position }) {
  const layout = layoutOf(shapeOf(position), false);
  const { x, y, width, height } = layout.viewBox;
  const contents = contentsOf(position);
  return (
    <svg class={`mini ${layout.shape.kind}`} viewBox={`${x} ${y} ${width} ${height}`} aria-hidden="true">
      {[...layout.cells.values()].map((cell) => {
        const content = contents.get(cell.key)!;
        return (
          <g key={cell.key}>
            <path class={`cell ${content.kind}`} d={cell.path} />
            {content.kind === "disc" &&
              <circle class={`disc-${sideClass(content.side)}`} cx={cell.x} cy={cell.y} r={layout.radius} />}
            {content.kind === "card" && <rect class={`card-${sideClass(content.side)}`}
              x={cell.x - cardWidth / 2 + 4} y={cell.y - cardHeight / 2 + 4}
              width={cardWidth - 8} height={cardHeight - 8} rx={6} />}
          </g>
        );
      })}
    </svg>
  );
}
