// Starts a server and browsers for the tests of the board.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, afterEach, before, test as nodeTest } from "node:test";
import { chromium } from "playwright-core";

const root = path.resolve(import.meta.dirname, "../../..");
const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The longest wait for the page, in milliseconds. CI runs other work beside the tests. */
const patience = 30_000;

/** The world of the tests of this file. */
let current;

/** Registers hooks that run a server and a browser for the tests of one file. */
export function setUp(settings = []) {
  const world = { base: "", pages: [], problems: [] };
  current = world;
  const limit = { timeout: 2 * patience };
  before(async () => {
    world.folder = mkdtempSync(path.join(tmpdir(), "flipside-web-"));
    await startServer(world, process.env.FLIPSIDED ?? build("flipsided", world.folder), settings);
    await startBrowser(world);
  });
  afterEach(async () => {
    const problems = world.problems.splice(0);
    await Promise.all(world.pages.splice(0).map((page) => page.context().close()));
    assert.deepEqual(problems, [], "the console has no error");
  }, limit);
  after(async () => {
    await world.browserServer?.kill();
    await stopServer(world);
    rmSync(world.folder, { recursive: true, force: true });
  }, limit);
  return world;
}

/** Starts a browser in a process that can be killed. */
async function startBrowser(world) {
  world.browserServer = await chromium.launchServer({
    executablePath: process.env.CHROMIUM ?? browsers.find((file) => existsSync(file)),
    handleSIGTERM: false, // SIGTERM after --test-timeout ends this process, even if the browser hangs.
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
      "--disable-background-networking", "--disable-component-update",
    ],
  });
  world.browser = await chromium.connect(world.browserServer.wsEndpoint());
}

/**
 * Defines a test. On busy virtual machines Chromium sometimes stops answering, and then no limit of
 * Playwright ends the test. Such a test, and no other, is repeated once in a new browser. Each wait
 * for the page has a shorter limit, so a fault of the page fails the test before that.
 */
export function test(name, body) {
  nodeTest(name, async (t) => {
    const first = body(t);
    const ended = first.then(() => true);
    const hangs = new Promise((resolve) => setTimeout(resolve, 3 * patience, false).unref());
    if (await Promise.race([ended, hangs])) return;
    t.diagnostic("the browser does not answer: once more in a new one");
    ended.catch(() => undefined);
    await current.browserServer.kill();
    current.pages.length = current.problems.length = 0;
    await startBrowser(current);
    await body(t);
  });
}

/** Builds a program of this repository. `make webtest` builds both once for all files. */
function build(name, folder) {
  const program = path.join(folder, name);
  execFileSync("go", ["build", "-o", program, `./cmd/${name}`], { cwd: root, stdio: "inherit" });
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
      const [, game, http] = /"msg":"listening".*"game":"([^"]+)","http":"([^"]+)"/.exec(output) ?? [];
      if (!http) return;
      world.game = game;
      resolve(`http://${http}`);
    });
    world.server.on("exit", (code) => reject(new Error(`flipsided ended with ${code}: ${output}`)));
  });
}

/** Stops the server and checks that it ends. */
async function stopServer({ server }) {
  if (!server || server.exitCode !== null) return;
  const kill = setTimeout(() => server.kill("SIGKILL"), patience);
  server.kill();
  const [code, signal] = await once(server, "exit");
  clearTimeout(kill);
  assert.deepEqual({ code, signal }, { code: 0, signal: null }, "the server stops");
}

/**
 * Opens a page of the board for a new guest. Options: width, height, base, expected (patterns of
 * console errors), and those of a context. Pages do not animate unless the options ask for it.
 */
export async function openPage(world, address = "/", options = {}) {
  const { width = 1280, height = 800, base = world.base, expected = [], ...context } = options;
  const browserContext = await world.browser.newContext({
    viewport: { width, height }, baseURL: base, reducedMotion: "reduce", ...context,
  });
  const page = await browserContext.newPage();
  page.setDefaultTimeout(patience);
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

/** Opens a game that the guest of the new page has created with a request of the API. */
export async function openGame(world, request, options = {}) {
  const { key } = await post(world, "/v1/players", {});
  const { game } = await post(world, "/v1/games", request, key);
  const stored = { origin: options.base ?? world.base, localStorage: [{ name: "flipside.key", value: key }] };
  const page = await openPage(world, `/g/${game.id}`, { storageState: { origins: [stored] }, ...options });
  await page.waitForSelector(".board");
  return page;
}

/** Calls the API and returns the answer. */
export async function post(world, address, body, key) {
  const headers = { "Content-Type": "application/json", ...(key && { Authorization: `Bearer ${key}` }) };
  const response = await fetch(world.base + address, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = await response.json();
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer;
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
    if (game?.dataset.turn === "over") return "over";
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
      document.querySelector("main.game")?.dataset.turn === "over", before);
  }
  assert.fail("the game does not end");
}

export const cell = (page, key) => page.locator(`[data-cell="${key}"]`);
export const status = (page) => page.locator(".status-line");
export const message = (page) => page.locator("[data-message]");

/** Waits until the text of an element matches. */
export async function expectText(locator, pattern) {
  const deadline = Date.now() + patience;
  let text = "";
  while (Date.now() < deadline) {
    text = (await locator.textContent().catch(() => "")) ?? "";
    if (pattern.test(text)) return text;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  assert.match(text, pattern);
  return text;
}

/**
 * Follows a game with the command line in a pseudo terminal, without a key of its own. Returns the
 * times at which it showed each move, by the number of moves.
 */
export async function watchInTerminal(world, page, id) {
  const program = process.env.FLIPSIDE ?? build("flipside", world.folder);
  const key = await page.evaluate(() => localStorage.getItem("flipside.key"));
  const command = `${program} game watch ${id} --after 0 --address ${world.game}`;
  const terminal = spawn("script", ["--quiet", "--flush", "--command", command, "/dev/null"], {
    env: { ...process.env, FLIPSIDE_KEY: key, FLIPSIDE_CONFIG: path.join(world.folder, "config.json") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(terminal, "close");
  const ended = () => Promise.race([closed, new Promise((_, reject) => {
    setTimeout(reject, patience, new Error(`the terminal does not end: ${watched.output}`)).unref();
  })]);
  const watched = { times: {}, output: "", ended };
  terminal.stdout.on("data", (data) => {
    watched.output += data;
    const moves = watched.output.match(/ (plays|passes)\b/g)?.length ?? 0;
    watched.times[moves] ??= Date.now();
  });
  return watched;
}

/** Records in a page when it shows each move, by the number of moves. */
export async function recordMoves(page) {
  await page.evaluate(() => {
    globalThis.moveTimes = {};
    new MutationObserver(() => {
      globalThis.moveTimes[document.querySelectorAll(".move").length] ??= Date.now();
    }).observe(document.body, { childList: true, subtree: true });
  });
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
