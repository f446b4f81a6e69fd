// A bot that takes corners, and otherwise flips as many discs as it can.
//
// Usage: node bot.mjs [URL]. It keeps its key in the file bot.key.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Bot, Flipside, type Game, type LegalMove } from "@flipside-games/client";

/** Returns the best move. */
function choose(game: Game, moves: LegalMove[]): LegalMove {
  const corners = game.position?.reversi?.corners ?? [];
  const same = JSON.stringify;
  const value = ({ move, flipCount }: LegalMove): number =>
    flipCount + (corners.some((corner) => same(corner) === same(move.place?.cell)) ? 1000 : 0);
  return moves.reduce((best, move) => value(move) > value(best) ? move : best);
}

const client = new Flipside({ baseUrl: process.argv[2] ?? "http://127.0.0.1:8080" });
if (existsSync("bot.key")) {
  client.key = readFileSync("bot.key", "utf8");
} else {
  const { key } = await client.createPlayer("Corner bot");
  writeFileSync("bot.key", key, { mode: 0o600 });
}
console.log("This bot is player", (await client.me()).id);
for await (const { gameId, outcome } of new Bot(client).play(choose)) {
  console.log(gameId, JSON.stringify(outcome));
}
