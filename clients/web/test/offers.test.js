// Takebacks, draws, rematches and invitations.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  api, caller, cell, createGame, easy, expectText, message, nextTurn, openGame, openPage, setUp, square, status,
} from "./harness.js";

const world = setUp();

const moves = (page, count) => page.waitForFunction(
  (wanted) => document.querySelectorAll(".move").length === wanted, count);

/** Opens a game between two guests. */
async function openPair(size = 8) {
  const black = await openGame(world, { setup: square(size), seats: [caller, { open: {} }] });
  const white = await openPage(world, new URL(black.url()).pathname);
  await white.getByRole("button", { name: "Play White" }).click();
  await expectText(status(black), /Your turn/);
  return [black, white];
}

test("takeback: u returns to the own last turn against a robot", async () => {
  const page = await openGame(world, { setup: square(8), seats: [caller, easy] });
  await nextTurn(page);
  await cell(page, "d3").dblclick();
  await moves(page, 2);
  await page.keyboard.press("u");
  await moves(page, 0);
  await nextTurn(page);
  assert.match(await cell(page, "d3").getAttribute("aria-label"), /empty/);
  await cell(page, "f5").dblclick();
  await moves(page, 2);
});

test("takeback between people: the opponent accepts, and both boards go back", async () => {
  const [black, white] = await openPair();
  await nextTurn(black);
  await cell(black, "d3").dblclick();
  await moves(white, 1);
  await black.keyboard.press("u");
  await expectText(white.getByRole("group", { name: "Offer" }), /Black asks to take a move back/);
  await white.getByRole("button", { name: "Accept" }).click();
  await Promise.all([moves(black, 0), moves(white, 0)]);
  assert.equal(await nextTurn(black), "move");
});

test("draw: d offers, Decline declines, and an accepted offer ends the game", async () => {
  const [black, white] = await openPair();
  await nextTurn(black);
  await black.keyboard.press("d");
  await white.getByRole("button", { name: "Decline" }).click();
  await expectText(message(black), /White declined the offer/);
  await cell(black, "d3").dblclick();
  await nextTurn(white);
  await white.keyboard.press("d");
  await expectText(black.getByRole("group", { name: "Offer" }), /White offers a draw/);
  await black.keyboard.press("d");
  for (const page of [black, white]) await expectText(status(page), /Draw by agreement/);
});

test("rematch against a robot: n starts a game with the sides swapped", async () => {
  const page = await openGame(world, { setup: square(6), seats: [caller, easy] });
  const first = await page.locator("main.game").getAttribute("data-game");
  await nextTurn(page);
  await page.keyboard.press("r");
  await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await expectText(status(page), /You lost by resignation/);
  await page.keyboard.press("n");
  await page.waitForFunction((old) => document.querySelector("main.game")?.dataset.game !== old, first);
  await nextTurn(page);
  await expectText(status(page), /Your turn \(White\)/);
  assert.equal(await page.locator("[data-cell]").count(), 36, "with the same settings");
});

test("rematch between people: both open the new game", async () => {
  const [black, white] = await openPair(4);
  const id = await black.locator("main.game").getAttribute("data-game");
  await nextTurn(black);
  await black.keyboard.press("r");
  await black.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await expectText(status(white), /You won by resignation/);
  await white.getByRole("button", { name: "Rematch" }).click();
  await expectText(black.getByRole("group", { name: "Offer" }), /White offers a rematch/);
  await black.getByRole("button", { name: "Accept" }).click();
  await Promise.all([black, white].map((page) => page.waitForFunction(
    (old) => document.querySelector("main.game")?.dataset.game !== old, id)));
  await expectText(status(white), /Your turn \(Black\)/);
});

test("an invitation can be accepted", async () => {
  const host = await openPage(world);
  const guest = await openPage(world);
  const { player } = await api(guest, "GET", "/v1/players/me");
  const game = await createGame(host, {
    setup: square(4), seats: [caller, { player: { playerId: player.id } }],
  });
  await host.goto(`/g/${game.id}`);
  await expectText(status(host), /Waiting for an opponent/);
  await guest.goto(`/g/${game.id}`);
  await expectText(guest.getByRole("group", { name: "Invitation" }), /You are invited to play White/);
  await guest.getByRole("button", { name: "Accept" }).click();
  await expectText(status(host), /Your turn \(Black\)/);
});

test("a game that waits for an opponent can be cancelled", async () => {
  const page = await openGame(world, { setup: square(4), seats: [caller, { open: {} }] });
  await page.getByRole("button", { name: "Cancel the game" }).click();
  await expectText(status(page), /Game aborted/);
});
