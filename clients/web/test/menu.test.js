// The menu, its dialogs, and access for everybody.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  api, caller, createGame, easy, expectText, failedLoad, hexagon, nextTurn, openGame, openPage, post, setUp, square, status, test,
} from "./harness.js";

const world = setUp();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

test("main menu: three games, join, own games, open games, watch", async () => {
  const page = await openPage(world);
  assert.equal(await page.locator(".tile").count(), 3);
  await page.waitForSelector(".game-list");
  assert.deepEqual(await page.locator(".game-list h2").allTextContents(), ["Your games", "Open games", "Watch"]);
});

test("configuration: the defaults show as values, and Cancel leaves it", async () => {
  const page = await openPage(world);
  await page.locator(".tile").first().click();
  const dialog = page.getByRole("dialog");
  assert.equal(await dialog.getByLabel("Rings").inputValue(), "5");
  assert.equal(await dialog.getByLabel("Opponent").inputValue(), "robot");
  assert.equal(await dialog.getByLabel("You play").inputValue(), "first");
  assert.equal(await dialog.getByLabel(/^Time/).inputValue(), "none");
  await dialog.getByText("Rules", { exact: true }).click();
  assert.equal(await dialog.getByLabel("Passing").inputValue(), "voluntary");
  assert.equal(await dialog.getByLabel("Discs that a move must flip").inputValue(), "1");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.equal(new URL(page.url()).pathname, "/");
});

test("configuration: game, board, level, colour, clock and rules reach the server", async () => {
  const page = await openPage(world);
  await page.locator(".tile").nth(1).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Cells per side").fill("6");
  await dialog.getByLabel("Strength").selectOption({ label: "Hard" });
  await dialog.getByLabel("You play").selectOption("second");
  await dialog.getByLabel(/^Time/).selectOption("move");
  await dialog.getByLabel("Seconds per move").fill("45");
  await dialog.getByText("Rules", { exact: true }).click();
  await dialog.getByLabel("The winner gets the empty cells").check();
  await dialog.getByRole("button", { name: "Play" }).click();
  await page.waitForSelector(".board");
  await expectText(page.locator(".player").first(), /BlackRobot · Hard/);
  await expectText(page.locator(".clock").first(), /0:\d\d/);
  assert.equal(await page.locator("[data-cell]").count(), 36);
});

test("rules that differ from the default show on the page of the game, before joining too", async () => {
  for (const [setup, shown] of [
    [{ threeTrios: { rules: ["RULE_REVERSE", "RULE_FALLEN_ACE", "RULE_SAME", "RULE_PLUS"], countOwnCards: true } },
      "Rules The winner of a comparison: The smaller value · Fallen ace · Same · Plus · Own cards count for Same and Plus"],
    [{ reversi: { square: { side: 8, start: "START_MIRRORED" }, passRule: "PASS_RULE_VOLUNTARY", minFlips: 2,
      autoPass: true, emptiesToWinner: true } },
    "Rules Passing: Always allowed; two passes end the game · Discs that a move must flip: 2 · " +
      "The server passes for a side without a legal move · The winner gets the empty cells · Mirrored start"],
    [{ reversi: { hexagon: { rings: 3 }, passRule: "PASS_RULE_FORCED" } },
      "Rules Passing: Only without a legal move"],
  ]) {
    const host = await openGame(world, { setup, seats: [caller, { open: {} }] });
    const guest = await openPage(world, new URL(host.url()).pathname);
    for (const page of [host, guest]) assert.equal(await page.locator("[data-rules]").textContent(), shown);
  }
  for (const setup of [{ threeTrios: {} }, square(8), hexagon(5)]) {
    const page = await openGame(world, { setup, seats: [caller, easy] });
    assert.equal(await page.locator("[data-rules]").count(), 0, JSON.stringify(setup));
  }
});

test("configuration: an invalid field in the closed rules is shown", async () => {
  const page = await openPage(world, "/", { expected: [/not focusable/] });
  await page.locator(".tile").nth(1).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Rules", { exact: true }).click();
  const field = dialog.getByLabel("Discs that a move must flip");
  await field.fill("65");
  await dialog.getByText("Rules", { exact: true }).click();
  await field.waitFor({ state: "hidden" });
  await dialog.getByRole("button", { name: "Play" }).click();
  await field.waitFor({ state: "visible" });
});

test("configuration: a slider sets the strength of a robot that plays like a person", async () => {
  const page = await openPage(world);
  await page.locator(".tile").nth(1).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Cells per side").fill("4");
  await dialog.getByLabel("Strength").selectOption("skill");
  const slider = dialog.getByRole("slider");
  assert.equal(await slider.getAttribute("aria-valuetext"), "5, casual player");
  await slider.fill("12");
  await dialog.getByText("Skill 12: club player").waitFor();
  await dialog.getByRole("button", { name: "Play" }).click();
  await page.waitForSelector(".board");
  await expectText(page.locator(".player").first(), /WhiteRobot · Skill 12/);
});

test("a wrong grid file gets the error of the server with line and column", async () => {
  const page = await openPage(world, "/", { expected: [failedLoad] });
  await page.locator(".tile").nth(2).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Grid file").setInputFiles({
    name: "grid.txt", mimeType: "text/plain", buffer: Buffer.from("3 3\nCCC\nCQC\nCCC\n"),
  });
  await dialog.getByRole("button", { name: "Play" }).click();
  await expectText(dialog.locator(".field-error"), /line 3.*column 2/i);
});

test("a link or an id opens a game, anything else gets an error at the field", async () => {
  const page = await openPage(world);
  const game = await createGame(page, { setup: square(4), seats: [caller, easy] });
  const field = page.getByLabel("Join or watch by link or id");
  await field.fill("hello");
  await page.keyboard.press("Enter");
  await expectText(page.locator(".join .field-error"), /no link of a game/);
  await field.fill(`${world.base}/g/${game.id}`);
  await page.getByRole("button", { name: "Open" }).click();
  await page.waitForSelector(".board");
  assert.equal(new URL(page.url()).pathname, `/g/${game.id}`);
  await page.goBack();
  await page.waitForSelector(".tile");
});

test("two windows: an open game is listed for others, who join it from the menu", async () => {
  const host = await openGame(world, { setup: hexagon(2), seats: [caller, { open: {} }] });
  const id = await host.locator("main.game").getAttribute("data-game");
  const guest = await openPage(world);
  await guest.locator(`.game-list a[href="/g/${id}"]`).click();
  await guest.getByRole("button", { name: "Play White" }).click();
  await expectText(status(host), /Your turn \(Black\)/);
  await expectText(status(guest), /Black to move/);
});

/** Creates games one after the other and returns their ids. */
async function createGames(page, count, request) {
  const ids = [];
  for (let i = 0; i < count; i++) ids.push((await createGame(page, request)).id);
  return ids;
}

const gameList = (page, title) => page.locator(".game-list").filter({ has: page.getByRole("heading", { name: title }) });

/** Waits until a list of the menu has a game. */
const listed = (page, title, id) => gameList(page, title).locator(`a[href="/g/${id}"]`).waitFor();

test("own games: an unfinished game is listed before newer ones that are over", async () => {
  const page = await openPage(world);
  const waiting = { setup: square(4), seats: [caller, { open: {} }] };
  const game = await createGame(page, { setup: square(4), seats: [caller, easy] });
  for (const id of await createGames(page, 12, waiting)) await api(page, "POST", `/v1/games/${id}:abort`, {});
  await page.reload();
  await listed(page, "Your games", game.id);
  const both = { setup: square(4), seats: [caller, caller] };
  const ids = await createGames(page, 13, both);
  for (const id of ids) await api(page, "POST", `/v1/games/${id}:resign`, { side: "SIDE_FIRST" });
  await page.reload();
  await listed(page, "Your games", game.id);
  const links = gameList(page, "Your games").locator("a");
  assert.equal(await links.first().getAttribute("href"), `/g/${game.id}`);
  assert.equal(await links.count(), 12);
  await page.getByRole("button", { name: "Show more: Your games" }).click();
  await listed(page, "Your games", ids[0]);
  assert.equal(await links.count(), 14);
  assert.equal(await page.getByRole("button", { name: "Show more: Your games" }).count(), 0);
});

test("own games do not hide the games of others", async () => {
  const waiting = { setup: square(4), seats: [caller, { open: {} }] };
  const active = { setup: square(4), seats: [caller, caller] };
  const other = await openPage(world);
  const open = await createGame(other, waiting);
  const running = await createGame(other, active);
  const page = await openPage(world);
  await createGames(page, 12, waiting);
  await createGames(page, 12, active);
  await page.reload();
  await listed(page, "Open games", open.id);
  await listed(page, "Watch", running.id);
});

for (const [width, scheme] of [[1280, "light"], [390, "dark"]]) {
  test(`axe finds nothing serious at ${width} pixels, ${scheme}`, async () => {
    const page = await openPage(world, "/", { width, colorScheme: scheme, bypassCSP: true });
    await page.waitForSelector(".game-list");
    await noSerious(page, "menu");
    await page.locator(".tile").nth(2).click();
    await page.getByRole("dialog").getByText("Rules", { exact: true }).click();
    await noSerious(page, "configuration");
    for (const request of [
      { setup: hexagon(3), seats: [caller, easy] }, { setup: square(8), seats: [caller, caller] },
      { setup: { threeTrios: {} }, seats: [caller, easy] },
    ]) {
      await page.goto(`/g/${(await createGame(page, request)).id}`);
      await nextTurn(page);
      await page.keyboard.press("h");
      await page.keyboard.press("q");
      await page.keyboard.press("1");
      await page.locator("[data-cell]").first().click();
      await page.waitForTimeout(300);
      await noSerious(page, JSON.stringify(request.setup));
    }
  });
}

async function noSerious(page, place) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, {
    resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"],
    rules: { "label-content-name-mismatch": { enabled: true } }, // Off by default.
  }));
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((n) => n.html).join(" ")}`), [], place);
}

test("nothing overflows from 390 to 1920 pixels", async () => {
  const page = await openPage(world);
  const check = async (place) => {
    for (const width of [390, 768, 1024, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${place} at ${width}`);
    }
  };
  await page.waitForSelector(".game-list");
  await check("menu");
  for (const setup of [hexagon(1), hexagon(12), square(4), square(16), { threeTrios: {} }]) {
    await page.goto(`/g/${(await createGame(page, { setup, seats: [caller, caller] })).id}`);
    await page.waitForSelector(".board");
    await check(JSON.stringify(setup));
  }
});

test("the lines of an analysis stay inside the side panel", async () => {
  for (const setup of [hexagon(3), { threeTrios: {} }]) {
    const page = await openGame(world, { setup, seats: [caller, easy] });
    await nextTurn(page);
    await page.getByRole("button", { name: "Analyse" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".analysis li").length > 1);
    for (const width of [360, 740, 1200]) {
      await page.setViewportSize({ width, height: 800 });
      const place = `${JSON.stringify(setup)} at ${width}`;
      const outside = await page.locator(".side").evaluate((side) => [...side.querySelectorAll("*")]
        .filter((element) => element.getBoundingClientRect().right > side.getBoundingClientRect().right)
        .map((element) => element.textContent.slice(0, 40)));
      assert.deepEqual(outside, [], place);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), place);
    }
  }
});

test("the whole board is in the window of a phone on its side and of a small tablet", async () => {
  const page = await openPage(world);
  for (const setup of [hexagon(1), hexagon(12), square(4), square(16), { threeTrios: {} }]) {
    await page.goto(`/g/${(await createGame(page, { setup, seats: [caller, caller] })).id}`);
    await page.waitForSelector(".board");
    for (const [width, height] of [[568, 320], [740, 360], [844, 390], [900, 600], [800, 760], [800, 900]]) {
      await page.setViewportSize({ width, height });
      const place = `${JSON.stringify(setup)} at ${width}×${height}`;
      const bottom = await page.locator(".player").last().evaluate((strip) => strip.getBoundingClientRect().bottom);
      assert.ok(bottom <= height, `${place}: the last line of the table ends at ${bottom}`);
      const board = await page.locator(".board").evaluate((svg) => svg.getBoundingClientRect().width);
      assert.ok(board >= 120, `${place}: the board has ${board} pixels`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), place);
    }
  }
});

test("a long name of a player does not widen the board", async () => {
  const page = await openPage(world);
  const { key } = await post(world, "/v1/players", { displayName: "W".repeat(64) });
  const { game } = await post(world, "/v1/games", { setup: square(4), seats: [caller, { open: {} }] }, key);
  await page.goto(`/g/${game.id}`);
  await page.waitForSelector(".board");
  for (const [width, height] of [[1280, 500], [740, 360], [360, 740]]) {
    await page.setViewportSize({ width, height });
    const wide = await page.locator(".player").evaluateAll((strips) =>
      strips.map((strip) => strip.scrollWidth - strip.clientWidth + strip.offsetWidth));
    const table = await page.locator(".board-area").evaluate((area) => area.offsetWidth);
    const side = await page.locator(".side").evaluate((panel) => panel.getBoundingClientRect());
    assert.deepEqual(wide, [table, table], `${width}×${height}`);
    assert.ok(side.left >= table || side.top >= table, `${width}×${height}: the panel covers the board`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}×${height}`);
  }
});

test("moves are announced politely to screen readers", async () => {
  const page = await openGame(world, { setup: square(8), seats: [caller, easy] });
  await nextTurn(page);
  await page.locator("[data-cell=d3]").dblclick();
  await expectText(page.locator("[aria-live=polite]"), /White plays .* and flips \d+ disc/);
});

test("the Content-Security-Policy holds: the page loads and runs only files of the server", async () => {
  const page = await openPage(world, "/", { expected: [/Content Security Policy/] });
  await page.waitForSelector(".tile");
  const blocked = await page.evaluate(() => new Promise((resolve) => {
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => resolve(effectiveDirective));
    const script = document.createElement("script");
    script.textContent = "globalThis.ran = true";
    document.head.append(script);
  }));
  assert.match(blocked, /^script-src/);
  assert.equal(await page.evaluate(() => globalThis.ran), undefined);
});

test("the assets stay under 150 KB compressed and come from the server", async () => {
  const page = await openPage(world);
  await page.waitForSelector(".tile");
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource")
    .filter((entry) => ["script", "link", "img"].includes(entry.initiatorType))
    .map(({ name, encodedBodySize }) => ({ name, encodedBodySize })));
  assert.ok(loaded.every(({ name }) => name.startsWith(world.base)));
  assert.ok(loaded.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) < 150_000);
});
