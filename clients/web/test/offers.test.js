// Takebacks, draws, rematches, invitations, claims, and alerts for an absent player.
import assert from "node:assert/strict";
import {
  api, caller, cell, createGame, easy, expectText, message, nextTurn, openGame, openPage, setUp, square, status, test,
} from "./harness.js";

const world = setUp();

const moves = (page, count) => page.waitForFunction(
  (wanted) => document.querySelectorAll(".move").length === wanted, count);

/** Opens a game between two guests. */
async function openPair(size = 8, more = {}) {
  const black = await openGame(world, { setup: square(size), seats: [caller, { open: {} }], ...more });
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
  await expectText(white.getByRole("group", { name: "Offer" }), /^Black asks to take a move back\./);
  await expectText(black.getByRole("group", { name: "Offer" }), /^You ask to take a move back\./);
  await white.getByRole("button", { name: "Accept" }).click();
  await Promise.all([moves(black, 0), moves(white, 0)]);
  assert.equal(await nextTurn(black), "move");
  for (const page of [black, white]) await expectText(message(page), /The move was taken back/);
  await cell(black, "d3").dblclick();
  await moves(white, 1);
  for (const page of [black, white]) assert.doesNotMatch(await message(page).textContent(), /taken back/);
});

test("takeback at one screen: only the last move goes back", async () => {
  const page = await openGame(world, { setup: square(8), seats: [caller, caller] });
  for (const [i, key] of ["d3", "c3", "c4"].entries()) {
    await nextTurn(page);
    await cell(page, key).dblclick();
    await moves(page, i + 1);
  }
  for (const left of [2, 1, 0]) {
    await nextTurn(page);
    await page.keyboard.press("u");
    await moves(page, left);
  }
});

test("draw at one screen: a question comes first", async () => {
  const page = await openGame(world, { setup: square(8), seats: [caller, caller] });
  await nextTurn(page);
  await page.getByRole("button", { name: "Draw", exact: true }).click();
  const question = page.getByRole("dialog", { name: "End the game in a draw?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  await expectText(status(page), /Black to move/);
  await page.keyboard.press("d");
  await question.getByRole("button", { name: "Draw" }).click();
  await expectText(status(page), /Draw by agreement/);
  await page.keyboard.press("d");
  await expectText(message(page), /not in progress/);
});

test("draw: d offers, Decline declines, and an accepted offer ends the game", async () => {
  const [black, white] = await openPair();
  await nextTurn(black);
  await black.keyboard.press("d");
  await white.getByRole("button", { name: "Decline" }).click();
  await expectText(message(black), /^White declined the draw\.$/);
  await cell(black, "d3").dblclick();
  await nextTurn(white);
  await white.keyboard.press("d");
  await expectText(black.getByRole("group", { name: "Offer" }), /White offers a draw/);
  await black.keyboard.press("d");
  for (const page of [black, white]) await expectText(status(page), /Draw by agreement/);
});

test("a withdrawn or declined offer leaves no message that it is open", async () => {
  const [black, white] = await openPair();
  const announced = (page) => page.locator("[aria-live=polite]");
  const withoutOffer = async () => {
    for (const page of [black, white]) {
      await page.getByRole("group", { name: "Offer" }).waitFor({ state: "detached" });
      assert.doesNotMatch(await message(page).textContent(), /You offer/);
    }
  };
  await nextTurn(black);
  await black.keyboard.press("d");
  await expectText(announced(black), /^You offer a draw\.$/);
  await expectText(announced(white), /^Black offers a draw\.$/);
  await black.getByRole("button", { name: "Withdraw" }).click();
  await expectText(message(white), /^Black withdrew the offer of a draw\.$/);
  await withoutOffer();
  await black.keyboard.press("r");
  await black.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await expectText(status(white), /You won by resignation/);
  await black.getByRole("button", { name: "Rematch" }).click();
  await expectText(announced(black), /^You offer a rematch\.$/);
  await white.getByRole("button", { name: "Decline" }).click();
  await expectText(message(black), /^White declined the rematch\.$/);
  await withoutOffer();
  await black.reload();
  await expectText(status(black), /You lost by resignation/);
  assert.equal(await message(black).textContent(), "", "after the reload it is no news");
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

test("claim: the page offers to claim the game when the opponent stays away", async () => {
  const [black, white] = await openPair(8, { timeControl: { claimAfter: "1s" } });
  await nextTurn(black);
  await cell(black, "d3").dblclick();
  await expectText(black.getByRole("group", { name: "Absent opponent" }), /White seems to be away/);
  await black.getByRole("button", { name: "Claim the game" }).click();
  await expectText(status(black), /You won because the opponent left/);
  await expectText(status(white), /You lost because you left/);
});

/** Replaces the browser's sound, notifications and visibility by records of their use. */
async function recordAlerts(page, permission) {
  await page.context().addInitScript((answer) => {
    globalThis.alerts = [];
    globalThis.Notification = class {
      static requestPermission = async () => answer;
      constructor(title, { body }) { globalThis.alerts.push(`${title}: ${body}`); }
    };
    OscillatorNode.prototype.start = () => globalThis.alerts.push("sound");
    OscillatorNode.prototype.stop = () => undefined; // It throws without a start.
    Object.defineProperty(document, "visibilityState", { get: () => globalThis.visibility ?? "visible" });
  }, permission);
  await page.reload();
}

const alerts = (page) => page.evaluate(() => globalThis.alerts);

/** Turns both alerts on in the settings. */
async function turnAlertsOn(page) {
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Sound when it is your turn").check();
  await page.getByLabel(/^Notification/).click();
  await page.keyboard.press("Escape");
}

test("sound and notification: a hidden page alerts the user to their turn", async () => {
  const [black, white] = await openPair();
  await recordAlerts(black, "granted");
  await turnAlertsOn(black);
  await nextTurn(black);
  await cell(black, "d3").dblclick();
  await nextTurn(white);
  assert.deepEqual(await alerts(black), [], "no alert for the user's own move");
  await black.evaluate(() => { globalThis.visibility = "hidden"; });
  await cell(white, "c3").dblclick();
  await black.waitForFunction(() => globalThis.alerts.length === 2, undefined, { polling: 50 });
  assert.deepEqual(await alerts(black), ["sound", "Flipside: Your turn: Squares 8×8"]);
});

test("sound and notification: neither without the user's setting and permission", async () => {
  const [black, white] = await openPair();
  await recordAlerts(black, "denied");
  await turnAlertsOn(black);
  await black.getByRole("button", { name: "Settings" }).click();
  assert.equal(await black.getByLabel(/^Notification/).isChecked(), false, "the browser denied it");
  await black.getByLabel("Sound when it is your turn").uncheck();
  await black.keyboard.press("Escape");
  await nextTurn(black);
  await cell(black, "d3").dblclick();
  await nextTurn(white);
  await cell(white, "c3").dblclick();
  await nextTurn(black);
  assert.deepEqual(await alerts(black), []);
});
