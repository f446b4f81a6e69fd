import type { Side } from "@flipside-games/client";
import { cardHeight, cardWidth } from "../game/layout";
import { handOf } from "../game/position";
import type { GameSession } from "../game/session";
import { useStore } from "../store";
import { CardFace, cardWords } from "./card";

/** The hand of a side. The user selects their cards by click, number key, arrow keys or drag. */
export function Hand({ session, side }: { session: GameSession; side: Side }) {
  const { card: selected, mine, game, viewed } = useStore(session);
  const cards = handOf(session.shown().position, side);
  const name = session.name(side);
  const own = mine.includes(side);
  const turn = game?.turn?.side === side && viewed === undefined;
  const all = handOf(session.state.start ?? session.shown().position, side).length || 1;
  const columns = Math.ceil(all / 7);
  return (
    <section style={{ "--hand-columns": String(columns), "--hand-rows": String(Math.ceil(all / columns)) }}
      class={`hand ${side === "SIDE_FIRST" ? "first" : "second"}${turn ? " turn" : ""}`}
      aria-label={`${name}'s hand`}>
      {cards.map((card, i) => {
        const pressed = selected?.side === side && selected.name === card.name;
        return (
          <button key={card.name} type="button" class="hand-card" aria-pressed={pressed}
            title={card.name} draggable={own} data-card={card.name}
            onClick={() => session.selectCard(side, card.name)}
            onDragStart={(event: DragEvent) => {
              event.dataTransfer?.setData("text/plain", card.name);
              if (!pressed) session.selectCard(side, card.name);
            }}>
            <svg viewBox={`0 0 ${cardWidth} ${cardHeight}`} role="img"
              aria-label={`${name}'s card ${i + 1}, ${cardWords(card)}`}>
              <CardFace card={card} side={side} />
            </svg>
          </button>
        );
      })}
      {cards.length === 0 && <p class="hand-empty">No cards left</p>}
    </section>
  );
}
