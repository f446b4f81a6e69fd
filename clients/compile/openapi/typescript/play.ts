// Two players play Reversi on 4x4 squares to its end. It prints the score.
// Usage: node play.js http://HOST:PORT
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

declare const process: { argv: string[] };
const baseUrl = process.argv[2];

/** Returns the data of a response, or throws the error. */
function need<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

/** Creates a player and returns a client that sends their key. */
async function player(displayName: string) {
  const { key } = need(await createClient<paths>({ baseUrl }).POST("/v1/players", { body: { displayName } }));
  return createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
}

const [ann, bob] = [await player("Ann"), await player("Bob")];
const setup = { reversi: { square: { side: 4 } } };
const created = need(await ann.POST("/v1/games", { body: { setup, seats: [{ caller: {} }] } }));
const params = { path: { game_id: created.game.id } };
let { game } = need(await bob.POST("/v1/games/{game_id}:join", { params, body: {} }));
while (game.state === "GAME_STATE_ACTIVE") {
  const mover = game.turn?.side === "SIDE_FIRST" ? ann : bob;
  const legal = need(await mover.GET("/v1/games/{game_id}/legalMoves", { params }));
  const body = { notation: legal.moves[0].notation, expectedVersion: legal.version };
  ({ game } = need(await mover.POST("/v1/games/{game_id}/moves", { params, body })));
}
console.log(`${game.score.first}:${game.score.second}`);
