// What a player does with cards, one feature a test.
import assert from "node:assert/strict";
import {
  caller, cell, easy, expectText, message, nextTurn, openGame, setUp, test,
} from "./harness.js";

const world = setUp();
const cardGame = { setup: { threeTrios: {} }, seats: [caller, easy] };

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
  assert.match(await card.locator("svg").getAttribute("aria-label"), /Red's card 1, anchor, north 5, east 3, south A, west 3/);
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

test("hints of the opponent show what the selected card of the opponent would flip", async () => {
  const page = await openGame(world, cardGame);
  await nextTurn(page);
  const card = page.locator(".hand.second .hand-card").first();
  await page.getByRole("button", { name: "Blue's hints" }).click();
  await expectText(message(page), /^Hints for Blue are on\. Select a card of Blue to see what it would flip\.$/);
  await card.click();
  await expectText(message(page), /belongs to Blue\. The numbers show how many cards it would flip/);
  await page.waitForSelector(".hint");
  assert.deepEqual(await page.locator(".hint").allTextContents(), Array(9).fill("0"));
  assert.equal(await page.locator(".cell.legal").count(), 0, "the user cannot play it");
  await cell(page, "0,0").click();
  await expectText(message(page), /Select a card of your hand first/);
  await page.keyboard.press("w");
  await expectText(message(page), /Hints for Blue are off/);
  assert.equal(await page.locator(".hint").count(), 0);
  assert.equal(await card.getAttribute("aria-pressed"), "false");
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
