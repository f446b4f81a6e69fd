// What a player sees beside the board: moves, analysis, robots, clocks and the result.
import assert from "node:assert/strict";
import {
  caller, cell, easy, expectText, failedLoad, message, nextTurn, openGame, openPage, playToTheEnd,
  setUp, square, status, test,
} from "./harness.js";

const world = setUp();
const squareGame = { setup: square(8), seats: [caller, easy] };
const bothSides = { setup: square(8), seats: [caller, caller] };

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

test("analysis after a resignation: the values count for the same side as before", async () => {
  const page = await openGame(world, { setup: square(4), seats: [caller, caller] });
  for (const next of [/White to move/, /Black to move/]) {
    await nextTurn(page);
    await page.locator(".cell.legal").first().dblclick();
    await expectText(status(page), next);
  }
  await page.getByRole("button", { name: "Analyse" }).click();
  const values = async () => {
    await expectText(page.locator(".analysis .search"), /exact.* m?s$/);
    return {
      title: await page.locator(".analysis h2").textContent(),
      score: Number.parseInt(await page.locator(".analysis .search").textContent(), 10),
      bar: await page.locator(".evaluation").getAttribute("aria-label"),
    };
  };
  const before = await values();
  assert.equal(before.title, "Analysis for Black");
  assert.match(before.bar, new RegExp(`for Black: \\+?${before.score}$`));
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await expectText(status(page), /White wins by resignation/);
  await page.getByRole("button", { name: "Previous move" }).click();
  await expectText(page.locator(".analysis h2"), /^Analysis for White$/);
  await page.getByRole("button", { name: "Latest position" }).click();
  await expectText(page.locator(".analysis h2"), /^Analysis for Black$/);
  assert.deepEqual(await values(), before);
});

test("analysis of a position without a next move names no side", async () => {
  const page = await openGame(world, { setup: square(4), seats: [easy, easy] }, { expected: [failedLoad] });
  await expectText(status(page), /wins by score|Draw by score/);
  await page.getByRole("button", { name: "Analyse" }).click();
  await expectText(page.locator(".analysis .warning"), /The game is over/);
  assert.equal(await page.locator(".analysis h2").textContent(), "Analysis");
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

test("a clock has two digits for the seconds, also just below ten", async () => {
  const page = await openGame(world, {
    setup: square(8), seats: [caller, caller], timeControl: { fischer: { initial: "9.970s" } },
  });
  assert.equal(await page.locator(".clock:not(.running)").textContent(), "0:09.9");
});
