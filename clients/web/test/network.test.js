// Reload, lost connections and restarts in the middle of a game.
import assert from "node:assert/strict";
import {
  api, caller, cell, createGame, easy, expectText, failedLoad, message, nextTurn, openGame, openPage, post, setUp,
  square, startProxy, status, test,
} from "./harness.js";

// Each heartbeat of a stream checks its key.
const world = setUp(["--heartbeat-interval=3s"]);
const lost = [failedLoad, /ERR_/];

test("reload in mid-game shows the same position and goes on", async () => {
  const page = await openGame(world, { setup: square(8), seats: [caller, easy] });
  await nextTurn(page);
  await cell(page, "d3").dblclick();
  await page.waitForFunction(() => document.querySelectorAll(".move").length === 2);
  const labels = () => page.locator("[data-cell]").evaluateAll((cells) => cells.map((c) => c.ariaLabel));
  await nextTurn(page);
  const before = await labels();
  await page.reload();
  await nextTurn(page);
  assert.deepEqual(await labels(), before);
});

test("a stream that is slower than other calls does not hide the legal moves", async () => {
  const page = await openGame(world, { setup: square(8), seats: [caller, caller] });
  await nextTurn(page);
  await cell(page, "d3").dblclick();
  await page.waitForFunction(() => document.querySelectorAll(".move").length === 1);
  await page.context().addInitScript(() => {
    const { fetch } = globalThis;
    globalThis.fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (!String(url).includes(":watch")) return response;
      const slow = new TransformStream({
        async transform(chunk, controller) {
          for (const line of new TextDecoder().decode(chunk).split(/(?<=\n)/)) {
            await new Promise((resolve) => setTimeout(resolve, 500));
            controller.enqueue(new TextEncoder().encode(line));
          }
        },
      });
      return new Response(response.body.pipeThrough(slow), { headers: response.headers });
    };
  });
  await page.reload();
  await page.waitForSelector(".move");
  assert.equal(await nextTurn(page), "move");
});

test("a lost network shows a countdown, and the game goes on without a gap", async () => {
  const proxy = await startProxy(world);
  try {
    const page = await openGame(world, { setup: square(8), seats: [caller, { open: {} }] }, {
      base: proxy.base, expected: lost,
    });
    const id = await page.locator("main.game").getAttribute("data-game");
    const other = await openPage(world, `/g/${id}`);
    await other.getByRole("button", { name: "Play White" }).click();
    await nextTurn(page);
    await cell(page, "d3").dblclick();
    await nextTurn(other);
    proxy.cut();
    await expectText(page.locator("[data-offline]"), /The server cannot be reached.*(Next attempt in \d+ s|Trying again)/);
    await cell(other, "c3").dblclick();
    await page.waitForTimeout(300);
    assert.equal(await page.locator(".move").count(), 1, "the page does not know the move yet");
    proxy.restore();
    await page.waitForFunction(() => document.querySelectorAll(".move").length === 2);
    assert.equal(await nextTurn(page), "move");
    assert.equal(await page.locator("[data-offline]").count(), 0);
    await cell(page, "c4").dblclick();
    await expectText(status(other), /Your turn/);
  } finally {
    proxy.close();
  }
});

test("a move during a short outage is sent again and played once", async () => {
  const proxy = await startProxy(world);
  try {
    const page = await openGame(world, { setup: square(8), seats: [caller, caller] }, {
      base: proxy.base, expected: lost,
    });
    await nextTurn(page);
    proxy.cut();
    await cell(page, "d3").dblclick();
    assert.match(await cell(page, "d3").getAttribute("aria-label"), /Black/, "the move shows at once");
    proxy.restore();
    await expectText(status(page), /White to move/);
    await page.waitForFunction(() => document.querySelectorAll(".move").length === 1);
  } finally {
    proxy.close();
  }
});

test("an unknown game shows why and leads back to the menu", async () => {
  const page = await openPage(world, "/g/01hzzzzzzzzzzzzzzzzzzzzzzz", { expected: [failedLoad] });
  await expectText(page.locator("main"), /This game cannot be shown.*no game/);
  await page.getByRole("link", { name: "Back to the menu" }).click();
  await page.waitForSelector(".tile");
});

test("two tabs of one guest are one player and follow each other", async () => {
  const first = await openGame(world, { setup: square(8), seats: [caller, caller] });
  const second = await first.context().newPage();
  await second.goto(first.url());
  await nextTurn(second);
  await cell(second, "d3").dblclick();
  await first.waitForFunction(() => document.querySelectorAll(".move").length === 1);
  await expectText(status(first), /White to move/);
});

test("a key that the server does not know is replaced", async () => {
  const page = await openPage(world, "/", { expected: [failedLoad] });
  await page.evaluate(() => localStorage.setItem("flipside.key", "unknown"));
  await page.reload();
  await page.waitForFunction(() => localStorage.getItem("flipside.key") !== "unknown");
  const game = await createGame(page, { setup: square(4), seats: [caller, easy] });
  assert.equal((await api(page, "GET", `/v1/games/${game.id}`)).game.id, game.id);
});

test("a key that is revoked while the menu is open is replaced", async () => {
  const page = await openPage(world, "/", { expected: [failedLoad] });
  await revokeKey(page);
  await page.waitForSelector("text=You have no games yet");
});

test("a key that is revoked while a game is open is replaced, and the page follows the game", async () => {
  const page = await openGame(world, { setup: square(8), seats: [caller, caller] }, { expected: [failedLoad] });
  await nextTurn(page);
  const key = await revokeKey(page);
  await expectText(message(page), /^Your key is no longer valid\. You are a new guest, who can only watch this game\.$/);
  const id = await page.locator("main.game").getAttribute("data-game");
  await post(world, `/v1/games/${id}/moves`, { notation: "d3" }, key);
  await page.waitForFunction(() => document.querySelectorAll(".move").length === 1);
});

/** Revokes the key of the page's guest, waits until the page has another one, and returns their new key. */
async function revokeKey(page) {
  const stored = await page.waitForFunction(() => localStorage.getItem("flipside.key"));
  const { key } = await api(page, "POST", "/v1/players/me:rotateKey", {});
  await page.waitForFunction((old) => localStorage.getItem("flipside.key") !== old, await stored.jsonValue());
  return key;
}

test("messages do not block the board", async () => {
  const page = await openGame(world, { setup: square(8), seats: [caller, easy] });
  await page.keyboard.press("Enter");
  await expectText(message(page), /Select a cell/);
  await cell(page, "d3").click();
  assert.equal(await page.locator("dialog[open]").count(), 0);
});
