// Whole games, as people play them.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import {
  caller, createGame, easy, expectText, hexagon, nextTurn, openGame, openPage, playToTheEnd, recordMoves, setUp,
  square, status, watchInTerminal, test,
} from "./harness.js";

const world = setUp();
const over = /^(You (won|lost) by score|Draw by score)/;

async function doubleClickFirstLegal(page) {
  await page.locator(".cell.legal").first().dblclick();
}

test("a whole game on hexagons against a robot by mouse", async () => {
  const page = await openGame(world, { setup: hexagon(3), seats: [caller, easy] });
  await playToTheEnd(page, () => doubleClickFirstLegal(page));
  await expectText(status(page), over);
});

test("a whole game on squares against a robot by mouse", async () => {
  const page = await openGame(world, { setup: square(8), seats: [caller, easy] });
  await playToTheEnd(page, () => doubleClickFirstLegal(page));
  await expectText(status(page), over);
});

test("a whole game of cards against a robot by mouse", async () => {
  const page = await openGame(world, { setup: { threeTrios: {} }, seats: [caller, easy] });
  await playToTheEnd(page, async () => {
    await page.locator(".hand.first .hand-card").first().click();
    await page.locator(".cell.legal").first().click();
  });
  await expectText(status(page), over);
});

test("a whole game by keyboard alone, from the menu on", async () => {
  const page = await openPage(world);
  await page.waitForSelector(".tile");
  const onTile = () => document.activeElement?.matches(".tile") && /Squares/.test(document.activeElement.textContent);
  while (!(await page.evaluate(onTile))) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.matches("input[type=number]"));
  for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key); // From 8 to 4 cells.
  await page.waitForSelector(".board");
  await playToTheEnd(page, async () => {
    const [target] = await page.locator(".cell.legal").evaluateAll((cells) => cells.map((c) => c.dataset.cell));
    await moveCursor(page, target);
    await page.keyboard.press("Enter");
  });
  await expectText(status(page), over);
});

/** Moves the cursor of a square board with the arrow keys. */
async function moveCursor(page, target) {
  const at = () => page.evaluate(() => document.activeElement?.dataset?.cell);
  if (!(await at())) await page.keyboard.press("ArrowRight");
  for (let steps = 0; steps < 20; steps++) {
    const from = await at();
    if (from === target) return;
    const column = target.charCodeAt(0) - from.charCodeAt(0);
    const row = Number(target.slice(1)) - Number(from.slice(1));
    await page.keyboard.press(
      column > 0 ? "ArrowRight" : column < 0 ? "ArrowLeft" : row > 0 ? "ArrowDown" : "ArrowUp");
  }
  assert.fail(`the cursor does not reach ${target}`);
}

test("a whole game by touch at 390 pixels", async () => {
  const page = await openGame(world, { setup: hexagon(2), seats: [caller, easy] }, {
    width: 390, height: 844, hasTouch: true, isMobile: true,
  });
  await playToTheEnd(page, async () => {
    await page.locator(".cell.legal").first().tap();
    await page.getByRole("button", { name: /^Place on/ }).tap();
  }, () => page.getByRole("button", { name: "Pass", exact: true }).tap());
  await expectText(status(page), over);
});

test("a game between two browsers while a third one and a terminal watch", async (t) => {
  const black = await openPage(world);
  const game = await createGame(black, { setup: square(4), seats: [caller, { open: {} }] });
  await black.goto(`/g/${game.id}`);
  await expectText(status(black), /Waiting for an opponent/);
  const white = await openPage(world, `/g/${game.id}`);
  const watcher = await openPage(world, `/g/${game.id}`);
  await watcher.waitForSelector(".board");
  const terminal = await watchInTerminal(world, black, game.id);
  const players = [black, white];
  const pages = [...players, watcher];
  for (const page of pages) await recordMoves(page);
  assert.equal(await white.locator("main.game").getAttribute("data-turn"), "waiting");
  await white.getByRole("button", { name: "Play White" }).click();
  let moves = 0;
  for (;;) {
    const { page, turn } = await Promise.race(players.map(async (page) => ({ page, turn: await nextTurn(page) })));
    if (turn === "over") break;
    if (turn === "pass") await page.keyboard.press("p");
    else await doubleClickFirstLegal(page);
    moves++;
    await Promise.all(pages.map((shown) => shown.waitForFunction(
      (count) => document.querySelectorAll(".move").length >= count, moves)));
  }
  await terminal.ended();
  const times = [terminal.times, ...await Promise.all(pages.map((page) => page.evaluate(() => globalThis.moveTimes)))];
  const delays = Array.from({ length: moves }, (_, i) => {
    const shown = times.map((byMoves) => byMoves[i + 1]).filter((time) => time !== undefined);
    return Math.max(...shown) - Math.min(...shown);
  });
  t.diagnostic(`all four show a move within ${Math.max(...delays)} ms`);
  assert.ok(Math.max(...delays) < 1000, `delays in milliseconds: ${delays.join(", ")}`);
  const titles = await Promise.all(pages.map((page) => status(page).textContent()));
  assert.match(titles[2], /wins by score|Draw by score/);
  assert.match(terminal.output, /wins by|draw/i);
  const board = (page) => page.locator("[data-cell]").evaluateAll((cells) => cells.map((c) => c.ariaLabel));
  const [first, ...others] = await Promise.all(pages.map(board));
  for (const other of others) assert.deepEqual(other, first);
});

test("two people play at one screen", async () => {
  const page = await openGame(world, { setup: square(4), seats: [caller, caller] });
  await expectText(status(page), /^Black to move/);
  await playToTheEnd(page, () => doubleClickFirstLegal(page));
  await expectText(status(page), /(Black|White) wins by score|Draw by score/);
});

test("robot against robot can be watched live", async () => {
  const page = await openGame(world, { setup: square(4), seats: [easy, easy] });
  await expectText(status(page), /wins by score|Draw by score/);
  assert.ok(await page.locator(".move").count() > 5);
});

test("the bot in the guide plays a whole game", async (t) => {
  const clients = path.resolve(import.meta.dirname, "../..");
  const example = path.join(clients, "typescript/examples/bot.mts");
  const code = readFileSync(example, "utf8");
  const guide = readFileSync(path.join(clients, "../docs/bots.md"), "utf8");
  assert.ok(guide.includes(`\`\`\`ts\n${code}\`\`\``), "docs/bots.md shows the example");
  assert.ok(code.split("\n").length < 40);
  const program = path.join(world.folder, "bot.mjs");
  await build({
    entryPoints: [example], outfile: program, bundle: true, platform: "node", format: "esm",
    alias: { "@flipside-games/client": path.join(clients, "typescript/src/index.ts") },
  });
  const bot = spawn(process.execPath, [program, world.base], { cwd: world.folder, stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => bot.kill());
  const lines = createInterface(bot.stdout)[Symbol.asyncIterator]();
  const [, playerId] = /^This bot is player (.+)$/.exec((await lines.next()).value);
  const page = await openPage(world);
  const game = await createGame(page, { setup: square(4), seats: [easy, { player: { playerId } }] });
  const end = (await lines.next()).value;
  assert.ok(end.startsWith(`${game.id} {"winner":`) && end.includes("ENDING_SCORE"), end);
});
