// The page of the API and the previews of shared links.
import assert from "node:assert/strict";
import { caller, createGame, easy, openPage, setUp, square, test } from "./harness.js";

const world = setUp();

/** Opens an operation of the page and returns its block. */
async function openOperation(page, service, id) {
  const block = page.locator(`#operations-${service}-${id}`);
  await block.locator(".opblock-summary-control").click();
  await block.getByRole("button", { name: "Execute" }).waitFor();
  return block;
}

/** Sends the call of an operation and returns the response. */
async function send(block) {
  await block.getByRole("button", { name: "Execute" }).click();
  const response = block.locator(".live-responses-table .response");
  await response.waitFor();
  assert.equal(await response.locator(".response-col_status").first().innerText(), "200");
  return JSON.parse(await response.locator(".highlight-code code").first().innerText());
}

/** Creates a player and a game with the calls of the page. */
async function createOnPage(page) {
  const first = page.locator(".opblock").first();
  await first.waitFor();
  assert.match(await first.innerText(), /POST\s+\/v1\/players\s+Create a player/, "CreatePlayer comes first");
  const { player, key } = await send(await openOperation(page, "PlayerService", "createPlayer"));
  assert.equal(player.displayName, "Ada", "the example of the document is filled in");
  const block = await openOperation(page, "GameService", "createGame");
  const { game } = await send(block);
  assert.equal(game.seats[0].player.playerId, player.id, "the page uses the key of the new player");
  assert.match(await block.locator(".curl").innerText(), new RegExp(`Bearer ${key}`));
  await block.locator(".curl-command .copy-to-clipboard").waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing overflows");
  return game;
}

test("docs: create a player and a game on a phone, in the dark", async () => {
  const page = await openPage(world, "/docs", { width: 390, colorScheme: "dark" });
  await createOnPage(page);
  assert.ok(await page.evaluate(() => document.documentElement.matches(".dark-mode")));
});

test("docs: create a game, see the start of its stream, filter operations", async () => {
  const page = await openPage(world, "/docs", { width: 1024 });
  const game = await createOnPage(page);
  const block = await openOperation(page, "GameService", "watchGame");
  await block.getByPlaceholder("game_id").fill(game.id);
  await block.getByRole("button", { name: "Execute" }).click();
  await block.locator(".live-responses-table .highlight-code").first().waitFor();
  assert.match(await block.locator(".live-responses-table").innerText(), /snapshot/);
  await page.getByPlaceholder(/Filter/).fill("playMatch");
  await page.waitForFunction(() => document.querySelectorAll(".opblock").length === 1);
});

test("a shared link shows the board, and a private game nothing", async () => {
  const page = await openPage(world);
  const request = { setup: square(8), seats: [caller, easy] };
  const crawl = async (address) => await fetch(world.base + address, { headers: { "User-Agent": "Slackbot" } });
  const shared = await createGame(page, { ...request, visibility: "VISIBILITY_LINK" });
  const html = await (await crawl(`/g/${shared.id}`)).text();
  assert.match(html, /<meta property="og:title" content="Reversi: [^"]*to move/);
  const image = /<meta property="og:image" content="([^"]*)">/.exec(html)?.[1];
  assert.equal(image, `${world.base}/g/${shared.id}.png`);
  const picture = Buffer.from(await (await fetch(image)).arrayBuffer());
  assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [1200, 630], "width and height of the PNG");
  const hidden = await createGame(page, { ...request, visibility: "VISIBILITY_PRIVATE" });
  assert.doesNotMatch(await (await crawl(`/g/${hidden.id}`)).text(), /og:/);
  assert.equal((await crawl(`/g/${hidden.id}.png`)).status, 404);
});
