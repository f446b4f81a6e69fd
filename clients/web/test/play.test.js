// What a player does on a board of discs, one feature a test.
import assert from "node:assert/strict";
import {
  caller, cell, easy, expectText, failedLoad, hexagon, message, nextTurn, openGame, setUp, square,
  status, test,
} from "./harness.js";

// Without a heartbeat, a stream does not notice that its key was revoked.
const world = setUp(["--heartbeat-interval=5m"]);
const slow = { robot: { strategy: { engine: { maxTime: "3s" } } } };
const squareGame = { setup: square(8), seats: [caller, easy] };
const hexagonGame = { setup: hexagon(3), seats: [caller, easy] };
const bothSides = { setup: square(8), seats: [caller, caller] };

const selected = (page) => page.locator("[role=gridcell][aria-selected=true] [data-cell]");
const expectSelected = (page, key) => page.waitForSelector(`[role=gridcell][aria-selected=true] [data-cell="${key}"]`);

test("select: a click selects an empty cell or a disc", async () => {
  const page = await openGame(world, squareGame);
  for (const key of ["a1", "d4"]) {
    await cell(page, key).click();
    assert.equal(await selected(page).getAttribute("data-cell"), key);
    assert.equal(await cell(page, key).getAttribute("aria-pressed"), "true");
    assert.equal(await page.locator(".selection").count(), 1);
  }
});

test("deselect: a click on the selected cell or outside the board deselects", async () => {
  const page = await openGame(world, squareGame);
  await cell(page, "a1").click();
  await page.waitForTimeout(450); // Two quick clicks would place.
  await cell(page, "a1").click();
  assert.equal(await selected(page).count(), 0);
  await cell(page, "b2").click();
  await page.locator("main.game").click({ position: { x: 3, y: 3 } });
  assert.equal(await selected(page).count(), 0);
  await cell(page, "b2").click();
  await page.keyboard.press("Escape");
  assert.equal(await selected(page).count(), 0);
});

test("hit test: the corner of a hexagon's bounding box belongs to its neighbour", async () => {
  const page = await openGame(world, hexagonGame);
  const box = await cell(page, "0,0").boundingBox();
  const corners = {
    "0,-1": [2, 2], "1,-1": [box.width - 2, 2], "-1,1": [2, box.height - 2], "0,1": [box.width - 2, box.height - 2],
    "0,0": [box.width / 2, box.height / 2],
  };
  for (const [key, [x, y]] of Object.entries(corners)) {
    await page.mouse.click(box.x + x, box.y + y);
    assert.equal(await selected(page).getAttribute("data-cell"), key);
  }
});

test("Enter places on the selected cell; without a selection a message asks for one", async () => {
  const page = await openGame(world, squareGame);
  await nextTurn(page);
  await page.keyboard.press("Enter");
  await expectText(message(page), /Select a cell first/);
  await page.locator(".cell.legal").first().click();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".move").length === 2);
  assert.equal(await selected(page).count(), 0);
});

test("arrow keys move the selection along the axes of the board", async () => {
  const page = await openGame(world, hexagonGame);
  await cell(page, "0,0").click();
  const moves = [["ArrowRight", "1,0"], ["ArrowUp", "1,-1"], ["ArrowLeft", "0,-1"], ["ArrowDown", "0,0"]];
  for (const [key, target] of moves) {
    await page.keyboard.press(key);
    await expectSelected(page, target);
  }
  await expectText(page.locator("[data-coordinates]"), /q 0, r 0, s 0/);
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowLeft");
  await expectSelected(page, "-3,0"); // The cursor stays at the edge.
});

test("one click places if the player chose so", async () => {
  const page = await openGame(world, squareGame);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Place a disc with").selectOption("click");
  await page.keyboard.press("Escape");
  await nextTurn(page);
  await page.locator(".cell.legal").first().click();
  await page.waitForFunction(() => document.querySelectorAll(".move").length === 2);
});

test("p passes, and the page shows that one more pass ends the game", async () => {
  const page = await openGame(world, { setup: hexagon(3), seats: [caller, caller] });
  await nextTurn(page);
  await page.keyboard.press("p");
  await expectText(page.locator("[data-passes]"), /Black passed: one more pass ends the game/);
  await expectText(status(page), /White to move/);
  await page.getByRole("button", { name: "Pass", exact: true }).click();
  await expectText(status(page), /Draw by score/);
});

test("rejection: the server's reason shows, the selection stays, nothing else changes", async () => {
  const page = await openGame(world, squareGame, { expected: [failedLoad] });
  await nextTurn(page);
  await cell(page, "a1").click();
  await page.keyboard.press("Enter");
  await expectText(message(page), /a1/);
  assert.equal(await selected(page).getAttribute("data-cell"), "a1");
  assert.equal(await page.locator(".move").count(), 0);
  assert.equal(await nextTurn(page), "move");
});

test("lit cells: legal cells of the side to move are marked and change after each move", async () => {
  const page = await openGame(world, bothSides);
  await nextTurn(page);
  const lit = () => page.locator(".cell.legal").evaluateAll((cells) => cells.map((c) => c.dataset.cell).sort());
  assert.deepEqual(await lit(), ["c4", "d3", "e6", "f5"]);
  assert.equal(await page.locator(".legal-dot").count(), 4, "a dot shows them without colour");
  await cell(page, "d3").dblclick();
  await page.waitForFunction(() => document.querySelector("[data-cell=c3].legal"));
  assert.deepEqual(await lit(), ["c3", "c5", "e3"]);
});

test("lit cells are off while the opponent thinks, and the own move shows at once", async () => {
  const page = await openGame(world, { setup: square(8), seats: [caller, slow] });
  await nextTurn(page);
  await cell(page, "d3").dblclick();
  await expectText(page.locator("[data-score=first]"), /4/);
  await expectText(status(page), /White is thinking… \d+ s/);
  assert.equal(await page.locator(".cell.legal").count(), 0);
  assert.match(await cell(page, "d4").getAttribute("aria-label"), /Black/);
});

test("the progress of a robot shows while it thinks, and its result after the move", async () => {
  const page = await openGame(world, { setup: square(8), seats: [caller, slow] });
  await nextTurn(page);
  await cell(page, "d3").dblclick();
  const live = page.locator("[data-search=live]");
  await expectText(live, /White: .*depth \d+, .* nodes/);
  await expectText(status(page), /White is thinking/);
  await live.waitFor({ state: "detached" });
  await expectText(page.locator("[data-search]"), /White: .*depth \d+, .* nodes/);
});

test("input out of turn gets a message", async () => {
  const page = await openGame(world, { setup: square(8), seats: [caller, slow] });
  await nextTurn(page);
  await cell(page, "d3").dblclick();
  await expectText(status(page), /thinking/);
  await cell(page, "c3").dblclick();
  await expectText(message(page), /It is White's turn/);
});

test("hints: h shows how many discs each legal move flips", async () => {
  const page = await openGame(world, squareGame);
  await nextTurn(page);
  await page.keyboard.press("h");
  await page.waitForSelector(".hint");
  assert.deepEqual(await page.locator(".hint").allTextContents(), ["1", "1", "1", "1"]);
  await page.keyboard.press("h");
  assert.equal(await page.locator(".hint").count(), 0);
});

test("the last move and its flips are marked, and the selected move shows what it would flip", async () => {
  const page = await openGame(world, bothSides);
  await nextTurn(page);
  await cell(page, "d3").click();
  assert.equal(await page.locator(".threat").count(), 1);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".last-mark");
  assert.equal(await page.locator(".flip-mark").count(), 1);
  assert.match(await cell(page, "d3").getAttribute("aria-label"), /last move/);
});

test("r resigns after a question, and the result shows", async () => {
  const page = await openGame(world, squareGame);
  await nextTurn(page);
  await page.keyboard.press("r");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  assert.equal(await nextTurn(page), "move");
  await page.keyboard.press("r");
  await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await expectText(status(page), /You lost by resignation/);
  await page.getByRole("button", { name: "Rematch" }).waitFor();
});

test("? opens the help and Esc closes it", async () => {
  const page = await openGame(world, hexagonGame);
  await page.keyboard.press("?");
  await expectText(page.getByRole("dialog"), /left and right follow q, up and down follow r/);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

test("labels of rows and columns can be turned off", async () => {
  const page = await openGame(world, hexagonGame);
  assert.equal(await page.locator(".label").count(), 14);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Names of rows and columns").uncheck();
  assert.equal(await page.locator(".label").count(), 0);
});

test("colour to move: the strip of the side to move is marked", async () => {
  const page = await openGame(world, bothSides);
  await expectText(page.locator(".player.active"), /Black/);
  await nextTurn(page);
  await cell(page, "d3").dblclick();
  await expectText(page.locator(".player.active"), /White/);
  await expectText(status(page), /White to move/);
});

test("a player without a move gets the advice to pass, and no other", async () => {
  const page = await openGame(world, { setup: hexagon(1), seats: [caller, easy] });
  await page.waitForSelector("[data-must-pass]");
  assert.equal(await message(page).textContent(), "");
});

test("a move with a revoked key explains that the guest is another one now", async () => {
  const page = await openGame(world, { setup: square(8), seats: [caller, caller] }, { expected: [failedLoad] });
  await nextTurn(page);
  await cell(page, "d3").click();
  await page.evaluate(async () => { // At once after the response, before the stream of the game ends.
    const key = localStorage.getItem("flipside.key");
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    await fetch("/v1/players/me:rotateKey", { method: "POST", headers, body: "{}" });
    const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true });
    document.querySelector("[data-cell=d3]").dispatchEvent(enter);
  });
  await expectText(message(page), /^Your key is no longer valid\. You are a new guest, who can only watch this game\.$/);
  assert.equal(await page.locator(".move").count(), 0);
});
