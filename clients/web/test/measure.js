// Measurements that need a quiet machine: `node --test test/measure.js`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { caller, createGame, easy, hexagon, nextTurn, openGame, openPage, setUp, square } from "./harness.js";

const world = setUp();

test("the largest board keeps 60 frames a second while it flips", async (t) => {
  const page = await openGame(world, { setup: hexagon(12), seats: [caller, caller] }, { reducedMotion: "no-preference" });
  await nextTurn(page);
  const frames = page.evaluate(() => new Promise((resolve) => {
    const times = [];
    const step = (time) => times.push(time) < 60 ? requestAnimationFrame(step) : resolve(times);
    requestAnimationFrame(step);
  }));
  await page.locator(".cell.legal").first().dblclick();
  const times = await frames;
  const gaps = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b);
  t.diagnostic(`median frame ${gaps[30].toFixed(1)} ms, 95th percentile ${gaps[56].toFixed(1)} ms, longest ${gaps[58].toFixed(1)} ms`);
  assert.ok(gaps[30] < 20);
});

test("the first board shows within a second on a slow phone", async (t) => {
  const page = await openPage(world, "/", { width: 390, height: 844, isMobile: true });
  const game = await createGame(page, { setup: square(8), seats: [caller, easy] });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await cdp.send("Network.enable");
  await cdp.send("Network.clearBrowserCache");
  await cdp.send("Network.emulateNetworkConditions", {
    offline: false, latency: 60, downloadThroughput: 9_000_000 / 8, uploadThroughput: 1_500_000 / 8, // 4G
  });
  await page.goto(`/g/${game.id}`, { waitUntil: "commit" });
  await page.waitForSelector(".board");
  const time = await page.evaluate(() => performance.now());
  t.diagnostic(`first board after ${Math.round(time)} ms`);
  assert.ok(time < 1000);
});
