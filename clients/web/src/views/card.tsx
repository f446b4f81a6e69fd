import type { Card, Side } from "@flipside-games/client";
import { cardHeight, cardWidth } from "../game/layout";

/** Draws a card with its corner at the origin: values in their places, name, and the owner's sign. */
export function CardFace({ card, side }: { card: Card; side: Side }) {
  const centre = cardWidth / 2;
  const value = (number: number, x: number, y: number) => (
    <text class="card-value" x={x} y={y}>{valueName(number)}</text>
  );
  return (
    <g class={`card ${sideClass(side)}`}>
      <rect class="card-body" x={1.5} y={1.5} width={cardWidth - 3} height={cardHeight - 3} rx={5} />
      <OwnerSign side={side} />
      {value(card.north, centre, 18)}
      {value(card.west, 13, 35.5)}
      {value(card.east, cardWidth - 13, 35.5)}
      {value(card.south, centre, 53)}
      <text class="card-name" x={centre} y={65.5}>{shortName(card.name)}</text>
    </g>
  );
}

/** The sign that shows an owner without colour: a diamond for Red, a ring for Blue. */
function OwnerSign({ side }: { side: Side }) {
  return side === "SIDE_FIRST"
    ? <path class="card-sign" d="M9 5l4 4-4 4-4-4z" />
    : <circle class="card-sign ring" cx={9} cy={9} r={3.2} />;
}

export function sideClass(side: Side): string {
  return side === "SIDE_FIRST" ? "first" : "second";
}

export function valueName(number: number): string {
  return number === 10 ? "A" : String(number);
}

/** Describes a card for screen readers. */
export function cardWords(card: Card): string {
  const words = [card.north, card.east, card.south, card.west].map(valueName);
  return `${card.name}, north ${words[0]}, east ${words[1]}, south ${words[2]}, west ${words[3]}`;
}

function shortName(name: string): string {
  return name.length > 10 ? `${name.slice(0, 9)}…` : name;
}
