// Starts a server and browsers for the tests of the board.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, afterEach, before } from "node:test";
import { chromium } from "playwright-core";

const root = path.resolve(import.meta.dirname, "../../..");
const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Registers hooks that run a server and a browser for the tests of one file. */
export function setUp(settings = []) {
  const world = { base: "", pages: [], problems: [] };
  before(async () => {
    world.folder = mkdtempSync(path.join(tmpdir(), "flipside-web-"));
    const program = process.env.FLIPSIDED ?? buildServer(world.folder);
    await startServer(world, program, settings);
    world.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? browsers.find((file) => existsSync(file)),
      args: [
        "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
        "--disable-background-networking", "--disable-component-update",
      ],
    });
  });
  afterEach(async () => {
    const problems = world.problems.splice(0);
    await Promise.all(world.pages.splice(0).map((page) => page.context().close()));
    assert.deepEqual(problems, [], "the console has no error");
  });
  after(async () => {
    await world.browser?.close();
    world.server?.kill();
    rmSync(world.folder, { recursive: true, force: true });
  });
  return world;
}

function buildServer(folder) {
  const program = path.join(folder, "flipsided");
  execFileSync("go", ["build", "-o", program, "./cmd/flipsided"], { cwd: root, stdio: "inherit" });
  return program;
}

async function startServer(world, program, settings) {
  world.server = spawn(program, [
    "--http-addr=127.0.0.1:0", "--game-addr=127.0.0.1:0", "--strategy-addr=127.0.0.1:0",
    "--metrics-addr=", `--data=${path.join(world.folder, "test.db")}`, "--player-rate=10000",
    ...settings,
  ]);
  world.base = await new Promise((resolve, reject) => {
    let output = "";
    world.server.stdout.on("data", (data) => {
      output += data;
      const address = /"msg":"listening".*"http":"([^"]+)"/.exec(output)?.[1];
      if (address) resolve(`http://${address}`);
    });
    world.server.on("exit", (code) => reject(new Error(`flipsided ended with ${code}: ${output}`)));
  });
}

/** Opens a page of the board for a new guest. Options: width, height, base, and those of a context. */
export async function openPage(world, address = "/", options = {}) {
  const { width = 1280, height = 800, base = world.base, expected = [], ...context } = options;
  const browserContext = await world.browser.newContext({
    viewport: { width, height }, baseURL: base, ...context,
  });
  const page = await browserContext.newPage();
  page.setDefaultTimeout(10_000);
  world.pages.push(page);
  const note = (text) => {
    if (!expected.some((pattern) => pattern.test(text))) world.problems.push(text);
  };
  page.on("console", (message) => {
    if (message.type() === "error") note(message.text());
  });
  page.on("pageerror", (error) => note(String(error.stack)));
  await page.goto(address);
  return page;
}

/** Console messages of the browser itself for responses that a test provokes. */
export const failedLoad = /Failed to load resource/;

/** Opens a game that the page's own guest creates with a request of the API. */
export async function openGame(world, request, options = {}) {
  const page = await openPage(world, "/", options);
  const game = await createGame(page, request);
  await page.goto(`/g/${game.id}`);
  await page.waitForSelector(".board");
  return page;
}

/** Creates a game for the guest of a page. */
export async function createGame(page, request) {
  return (await api(page, "POST", "/v1/games", request)).game;
}

/** Calls the API with the key of the page's guest. */
export async function api(page, method, address, body) {
  await page.waitForFunction(() => localStorage.getItem("flipside.key"));
  const response = await page.evaluate(async ([verb, url, text]) => {
    const headers = { Authorization: `Bearer ${localStorage.getItem("flipside.key")}` };
    if (text) headers["Content-Type"] = "application/json";
    const answer = await fetch(url, { method: verb, headers, body: text });
    return { status: answer.status, body: await answer.json() };
  }, [method, address, body && JSON.stringify(body)]);
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
}

export const easy = { robot: { strategy: { level: "LEVEL_EASY" } } };
export const caller = { caller: {} };
export const hexagon = (rings) => ({ reversi: { hexagon: { rings } } });
export const square = (side) => ({ reversi: { square: { side } } });

/** Waits until the user can move or the game is over, and returns what is possible. */
export async function nextTurn(page) {
  const handle = await page.waitForFunction(() => {
    const game = document.querySelector("main.game");
    if (game?.dataset.turn === "none") return "over";
    if (game?.dataset.turn !== "own") return undefined;
    if (document.querySelector("[data-must-pass]")) return "pass";
    const cards = document.querySelector(".hand");
    return cards || document.querySelector(".cell.legal") ? "move" : undefined;
  });
  return handle.jsonValue();
}

/** Plays with a function until the game is over. */
export async function playToTheEnd(page, move, pass = () => page.keyboard.press("p")) {
  for (let ply = 0; ply < 200; ply++) {
    const turn = await nextTurn(page);
    if (turn === "over") return;
    const before = await page.locator(".move").count();
    await (turn === "pass" ? pass() : move());
    await page.waitForFunction((count) =>
      document.querySelectorAll(".move").length > count ||
      document.querySelector("main.game")?.dataset.turn === "none", before);
  }
  assert.fail("the game does not end");
}

export const cell = (page, key) => page.locator(`[data-cell="${key}"]`);
export const status = (page) => page.locator(".status-line");
export const message = (page) => page.locator("[data-message]");

/** Waits until the text of an element matches. */
export async function expectText(locator, pattern) {
  const deadline = Date.now() + 10_000;
  let text = "";
  while (Date.now() < deadline) {
    text = (await locator.textContent().catch(() => "")) ?? "";
    if (pattern.test(text)) return text;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  assert.match(text, pattern);
  return text;
}

/** A TCP proxy before the server that can lose the network. */
export async function startProxy(world) {
  const target = new URL(world.base);
  const sockets = new Set();
  let cut = false;
  const proxy = net.createServer((client) => {
    if (cut) {
      client.destroy();
      return;
    }
    const server = net.connect(Number(target.port), target.hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.pipe(server).pipe(client);
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    base: `http://127.0.0.1:${proxy.address().port}`,
    cut() {
      cut = true;
      for (const socket of sockets) socket.destroy();
    },
    restore() {
      cut = false;
    },
    close() {
      this.cut();
      proxy.close();
    },
  };
}
