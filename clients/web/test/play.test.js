// What a player does on the board, one feature a test.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  caller, cell, easy, expectText, failedLoad, hexagon, message, nextTurn, openGame, openPage, playToTheEnd, setUp,
  square, status,
} from "./harness.js";

const world = setUp();
const slow = { robot: { strategy: { engine: { maxTime: "3s" } } } };
const squareGame = { setup: square(8), seats: [caller, easy] };
const hexagonGame = { setup: hexagon(3), seats: [caller, easy] };
const cardGame = { setup: { threeTrios: {} }, seats: [caller, easy] };
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

test("select a card by click, number key and arrow key, then a cell", async () => {
  const page = await openGame(world, cardGame);
  const hand = page.locator(".hand.first .hand-card");
  await hand.nth(1).click();
  assert.equal(await hand.nth(1).getAttribute("aria-pressed"), "true");
  await page.keyboard.press("ArrowDown");
  assert.equal(await hand.nth(2).getAttribute("aria-pressed"), "true");
  await page.keyboard.press("1");
  assert.equal(await hand.nth(0).getAttribute("aria-pressed"), "true");
  await cell(page, "1,1").click();
  await page.waitForFunction(() => document.querySelectorAll(".move").length === 2);
  assert.match(await cell(page, "1,1").getAttribute("aria-label"), /anchor|Red|Blue/);
});

test("a card can be dragged to a cell", async () => {
  const page = await openGame(world, cardGame);
  await nextTurn(page);
  await page.locator(".hand.first .hand-card").first().dragTo(cell(page, "0,2"));
  await page.waitForFunction(() => document.querySelectorAll(".move").length === 2);
  assert.equal(await page.locator(".hand.first .hand-card").count(), 4);
});

test("selecting the opponent's card, and a cell without a card, get a message", async () => {
  const page = await openGame(world, cardGame);
  await nextTurn(page);
  await page.locator(".hand.second .hand-card").first().click();
  await expectText(message(page), /belongs to Blue/);
  await cell(page, "0,0").click();
  await page.keyboard.press("Enter");
  await expectText(message(page), /Select a card/);
});

test("show cards: name, four values and owner show without colour", async () => {
  const page = await openGame(world, cardGame);
  const card = page.locator(".hand.first .hand-card").first();
  assert.deepEqual(await card.locator("text").allTextContents(), ["5", "3", "3", "A", "anchor"]);
  assert.match(await card.getAttribute("aria-label"), /Red's card 1, anchor, north 5, east 3, south A, west 3/);
  assert.equal(await page.locator(".hand.first path.card-sign").count(), 5);
  assert.equal(await page.locator(".hand.second circle.card-sign").count(), 5);
});

test("hint toggles q and w show the flips of a card, zero too, each for its side", async () => {
  const page = await openGame(world, { setup: { threeTrios: {} }, seats: [caller, caller] });
  await nextTurn(page);
  await page.keyboard.press("1");
  await page.keyboard.press("w");
  assert.equal(await page.locator(".hint").count(), 0, "Blue's hints are on, Red's card is selected");
  await page.keyboard.press("q");
  await page.waitForSelector(".hint");
  assert.deepEqual(await page.locator(".hint").allTextContents(), Array(9).fill("0"));
  await page.locator(".hand.second .hand-card").first().click();
  await page.waitForFunction(() => document.querySelectorAll(".hint").length === 9);
  await page.keyboard.press("w");
  assert.equal(await page.locator(".hint").count(), 0);
});

test("cards: the score is grid and hand, and flips show their cause", async () => {
  const rules = ["RULE_DEFAULT", "RULE_SAME", "RULE_PLUS"];
  const deck = ["a 5 5 5 5", "b 5 5 5 5", "c 5 5 5 5", "d 5 5 5 5", "e 1 1 1 1"].map((line, i) => [
    line, `z${i} 5 5 5 5`]).flat().join("\n");
  const page = await openGame(world, {
    setup: { threeTrios: { rules, deck: `${deck}\n` } }, seats: [caller, caller],
  });
  for (const [card, target] of [["a", "0,1"], ["z0", "1,0"], ["b", "2,2"], ["z1", "0,0"]]) {
    await nextTurn(page);
    await page.locator(`[data-card=${card}]`).click();
    const before = await page.locator(".move").count();
    await cell(page, target).click();
    await page.waitForFunction((count) => document.querySelectorAll(".move").length > count, before);
  }
  const scores = await Promise.all(["first", "second"].map((side) => page.locator(`[data-score=${side}]`).textContent()));
  assert.equal(Number(scores[0]) + Number(scores[1]), 10);
});

test("replay: the move list steps through the game with arrow keys", async () => {
  const page = await openGame(world, bothSides);
  for (const key of ["d3", "c3", "c4"]) {
    await nextTurn(page);
    await cell(page, key).dblclick();
    await page.waitForFunction((text) => document.querySelector(".move[aria-current]")?.textContent.includes(text), key);
  }
  await page.locator(".move").nth(1).click();
  await expectText(status(page), /Position after 2 of 3 moves/);
  assert.match(await cell(page, "c4").getAttribute("aria-label"), /empty/);
  await page.keyboard.press("ArrowLeft");
  await expectText(status(page), /Position after 1 of 3/);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expectText(status(page), /White to move/);
  await page.getByRole("button", { name: "First position" }).click();
  await expectText(status(page), /Position after 0 of 3/);
  await page.keyboard.press("Escape");
  await expectText(status(page), /White to move/);
});

test("fork: play on from an earlier position in a new game", async () => {
  const page = await openGame(world, bothSides);
  const id = await page.locator("main.game").getAttribute("data-game");
  for (const key of ["d3", "c3"]) {
    await nextTurn(page);
    await cell(page, key).dblclick();
    await page.waitForFunction((text) => document.querySelector(".move[aria-current]")?.textContent.includes(text), key);
  }
  await page.locator(".move").first().click();
  await page.getByRole("button", { name: "Fork" }).click();
  await page.waitForFunction((old) => document.querySelector("main.game")?.dataset.game !== old, id);
  await expectText(status(page), /White to move/);
  assert.match(await cell(page, "d3").getAttribute("aria-label"), /Black/);
  assert.match(await cell(page, "c3").getAttribute("aria-label"), /empty/);
});

test("analysis: evaluation bar and best lines on demand", async () => {
  const page = await openGame(world, squareGame);
  await nextTurn(page);
  await page.getByRole("button", { name: "Analyse" }).click();
  await page.getByRole("img", { name: /Evaluation for Black/ }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".analysis li").length === 3);
  await expectText(page.locator(".analysis .search"), /depth \d+/);
  await page.getByRole("button", { name: "Analyse" }).click();
  assert.equal(await page.locator(".analysis").count(), 0);
});

test("analysis is not offered against a person in a running game", async () => {
  const page = await openGame(world, { setup: square(8), seats: [caller, { open: {} }] });
  const guest = await openPage(world, new URL(page.url()).pathname);
  await guest.getByRole("button", { name: "Play White" }).click();
  await expectText(status(page), /Your turn/);
  assert.equal(await page.getByRole("button", { name: "Analyse" }).count(), 0);
});

test("depth and time fields: the robot's settings change in mid-game", async () => {
  const page = await openGame(world, {
    setup: square(8), seats: [caller, { robot: { strategy: { engine: { maxDepth: 2 } } } }],
  });
  await nextTurn(page);
  await page.getByText("Robot settings: White").click();
  const depth = page.getByLabel("Depth (plies)");
  assert.equal(await depth.inputValue(), "2", "the field starts with the value in force");
  await depth.fill("9999");
  await expectText(page.locator(".field-error"), /from \d+ to \d+/);
  assert.ok(await page.getByRole("button", { name: "Apply" }).isDisabled());
  await depth.fill("3");
  await page.getByRole("button", { name: "Apply" }).click();
  await expectText(message(page), /new settings/);
  await cell(page, "d3").dblclick();
  await expectText(page.locator("[data-search]"), /depth 3/);
});

test("reached depth: after its move the robot's depth, score, nodes and time show", async () => {
  const page = await openGame(world, {
    setup: square(8), seats: [caller, { robot: { strategy: { engine: { maxDepth: 2 } } } }],
  });
  await nextTurn(page);
  await cell(page, "d3").dblclick();
  await expectText(page.locator("[data-search]"), /White: .*(exact|estimate), depth 2, \d+ nodes, \d+ ms/);
});

test("result screen: the score and how the game ended, from the user's side", async () => {
  const page = await openGame(world, { setup: square(4), seats: [caller, easy] });
  await playToTheEnd(page, () => page.locator(".cell.legal").first().dblclick());
  await expectText(status(page), /^(You (won|lost)|Draw) by score/);
  await expectText(page.locator(".result-detail"), /Black \d+, White \d+/);
  for (const name of ["Rematch", "New game with these settings", "Analyse", "Fork", "Copy link"]) {
    await page.getByRole("button", { name }).waitFor();
  }
});

test("copy of settings into a new game", async () => {
  const page = await openGame(world, {
    setup: { reversi: { square: { side: 6 }, emptiesToWinner: true } }, seats: [easy, caller],
    timeControl: { fischer: { initial: "600s", increment: "7s" } },
  });
  await nextTurn(page);
  await page.keyboard.press("r");
  await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "New game with these settings" }).click();
  const dialog = page.getByRole("dialog");
  assert.equal(await dialog.getByLabel("Cells per side").inputValue(), "6");
  assert.equal(await dialog.getByLabel("You play").inputValue(), "second");
  assert.equal(await dialog.getByLabel("Minutes").inputValue(), "10");
  await dialog.getByText("Rules", { exact: true }).click();
  assert.ok(await dialog.getByLabel("The winner gets the empty cells").isChecked());
});

test("clocks run for the side to move", async () => {
  const page = await openGame(world, {
    setup: square(8), seats: [caller, easy], timeControl: { fischer: { initial: "300s", increment: "2s" } },
  });
  await expectText(page.locator(".clock.running"), /4:5\d/);
  await nextTurn(page);
  await cell(page, "d3").dblclick();
  await page.waitForFunction(() => document.querySelectorAll(".move").length === 2);
  await expectText(page.locator(".clock.running"), /[45]:\d\d/);
});
