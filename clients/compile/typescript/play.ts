// A bot plays both sides of Reversi on 4x4 squares to the end. It prints the score.
// Usage: deno run --allow-net play.ts http://HOST:PORT, or bun play.ts http://HOST:PORT
import process from "node:process";
import { Bot, Flipside } from "@flipside-games/client";

const client = new Flipside({ baseUrl: process.argv[2] });
await client.createPlayer("Ann");
const { id } = await client.createGame({
  setup: { reversi: { square: { side: 4 } } },
  seats: [{ caller: {} }, { caller: {} }],
});
for await (const over of new Bot(client).play((_, moves) => moves[0])) {
  if (over.gameId === id) break;
}
const { score } = await client.game(id);
console.log(`${score.first}:${score.second}`);
