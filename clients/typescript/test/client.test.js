// Tests the client against a small HTTP server that answers as the test says.
import assert from "node:assert/strict";
import http from "node:http";
import { after, before, beforeEach, test } from "node:test";
import { Bot, Flipside, FlipsideError } from "../build/index.js";
import { Versions } from "../build/versions.js";

let server;
let base;
let requests;
let answers;

before(async () => {
  server = http.createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    requests.push({ method: request.method, url: request.url, headers: request.headers, body });
    const answer = answers.shift() ?? { status: 500 };
    if (answer.cut) {
      request.socket.destroy();
    } else if (answer.lines) {
      response.writeHead(200, { "Content-Type": "application/x-ndjson" });
      for (const line of answer.lines) response.write(`${JSON.stringify(line)}\n`);
      if (answer.hang) return; // The stream stays open and silent.
      if (answer.broken) setTimeout(() => request.socket.destroy(), 50);
      else response.end();
    } else {
      response.writeHead(answer.status ?? 200, { "Content-Type": "application/json", ...answer.headers });
      response.end(JSON.stringify(answer.body ?? {}));
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${server.address().port}`;
});

after(() => {
  server.close();
  server.closeAllConnections();
});

beforeEach(() => {
  requests = [];
  answers = [];
});

const client = () => new Flipside({ baseUrl: base, key: "secret" });

test("a call sends the key and returns the response", async () => {
  answers = [{ body: { game: { id: "g1", version: 2 } } }];
  assert.equal((await client().game("g1")).version, 2);
  assert.equal(requests[0].url, "/v1/games/g1");
  assert.equal(requests[0].headers.authorization, "Bearer secret");
});

test("a new player's key is used from then on", async () => {
  answers = [{ body: { player: { id: "p1" }, key: "new" } }, { body: { player: { id: "p1" } } }];
  const flipside = new Flipside({ baseUrl: base });
  await flipside.createPlayer("Ada");
  await flipside.me();
  assert.equal(requests[1].headers.authorization, "Bearer new");
});

test("a change is repeated with the same request id after a lost response", async () => {
  answers = [{ cut: true }, { status: 503 }, { body: { event: { version: 3 }, replayed: true } }];
  await client().play("g1", "d3", 2);
  const bodies = requests.map(({ body }) => JSON.parse(body));
  assert.equal(bodies.length, 3);
  assert.match(bodies[0].requestId, /^[0-9a-f-]{36}$/);
  assert.deepEqual(bodies[1], bodies[0]);
  assert.deepEqual(bodies[2], bodies[0]);
});

test("a call without request id is repeated only if it certainly changed nothing", async () => {
  const unavailable = (metadata) => ({
    status: 503,
    body: {
      code: 14, message: "the store is unavailable", details: [
        { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "STORE_UNAVAILABLE", metadata },
      ],
    },
  });
  answers = [unavailable({ sent: "false" }), { body: { player: { id: "p1" }, key: "new" } }];
  assert.equal((await client().createPlayer("Ada")).key, "new");
  answers = [unavailable({})];
  await assert.rejects(client().createPlayer("Ada"), (error) => error.temporary && !error.notSent);
  assert.equal(requests.length, 3);
});

test("a change that lost to concurrent ones is repeated with the same request id", async () => {
  const contended = {
    status: 409,
    body: {
      code: 10, message: "the change lost to concurrent writes", details: [
        { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "STORE_CONTENDED" },
      ],
    },
  };
  answers = [contended, { body: { game: { id: "g1" } } }];
  await client().createGame({});
  const [first, second] = requests.map(({ body }) => JSON.parse(body).requestId);
  assert.equal(requests.length, 2);
  assert.ok(first);
  assert.equal(first, second);
});

test("a rejected call throws a typed error at once", async () => {
  answers = [{
    status: 400,
    body: {
      code: 3, message: "invalid rings", details: [
        { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "INVALID_FIELD", metadata: { limit: "12" } },
        { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [{ field: "setup.rings", description: "at most 12" }] },
      ],
    },
  }];
  await assert.rejects(client().createGame({}), (error) => {
    assert.ok(error instanceof FlipsideError);
    assert.equal(error.reason, "INVALID_FIELD");
    assert.equal(error.status, 400);
    assert.equal(error.metadata.limit, "12");
    assert.deepEqual(error.violations, [{ field: "setup.rings", description: "at most 12" }]);
    assert.equal(error.temporary, false);
    return true;
  });
  assert.equal(requests.length, 1);
});

test("an unreachable server is a temporary error", async () => {
  const flipside = new Flipside({ baseUrl: "http://127.0.0.1:1", attempts: 1 });
  await assert.rejects(flipside.game("g1"), (error) => error.reason === "UNREACHABLE" && error.temporary);
});

test("a rate limit is obeyed", async () => {
  answers = [{ status: 429, headers: { "Retry-After": "1" } }, { body: { game: { id: "g1" } } }];
  const start = Date.now();
  await client().game("g1");
  assert.ok(Date.now() - start >= 1000);
});

test("a limit that time does not lift throws at once", async () => {
  const details = [{ reason: "BUDGET_EXCEEDED" }];
  answers = [{ status: 429, headers: { "Retry-After": "1" }, body: { message: "too many", details } }];
  await assert.rejects(client().createGame({}), { reason: "BUDGET_EXCEEDED", temporary: false });
  assert.equal(requests.length, 1);
});

test("a delay of a minute is left to the caller", async () => {
  answers = [{ status: 429, headers: { "Retry-After": "60" } }];
  await assert.rejects(client().createGame({}), { temporary: true, retryAfter: 60_000 });
  assert.equal(requests.length, 1);
});

test("legal moves are read page by page", async () => {
  answers = [
    { body: { moves: [{ notation: "a1" }], nextPageToken: "1", version: 4 } },
    { body: { moves: [{ notation: "b2" }], nextPageToken: "", version: 4 } },
  ];
  const { moves, version } = await client().legalMoves("g1", { side: "SIDE_FIRST" });
  assert.deepEqual(moves.map(({ notation }) => notation), ["a1", "b2"]);
  assert.equal(version, 4);
  assert.match(requests[1].url, /pageToken=1/);
});

const event = (version) => ({ result: { version, event: { version } } });
const end = (reason) => ({ result: { version: 9, end: { reason } } });

test("a stream resumes after a cut, without a gap and without repeats", async () => {
  answers = [
    { lines: [event(1), event(2)], broken: true },
    { cut: true },
    { lines: [event(3), end("END_REASON_GAME_OVER")] },
  ];
  const versions = [];
  const states = [];
  const stream = client().watchGame("g1", { afterVersion: 0, onConnection: ({ state }) => states.push(state) });
  for await (const message of stream) versions.push(message.version);
  assert.deepEqual(versions, [1, 2, 3, 9]);
  assert.deepEqual(states, ["connected", "waiting", "waiting", "connected"]);
  assert.deepEqual(requests.map(({ url }) => new URL(url, base).searchParams.get("afterVersion")), ["0", "2", "2"]);
});

test("a stream that ends with a temporary error resumes", async () => {
  answers = [
    { lines: [event(1), { error: { code: 14, message: "away", details: [{ reason: "GAME_UNAVAILABLE" }] } }] },
    { lines: [event(2), end("END_REASON_GAME_OVER")] },
  ];
  const versions = [];
  for await (const message of client().watchGame("g1", { afterVersion: 0 })) versions.push(message.version);
  assert.deepEqual(versions, [1, 2, 9]);
});

test("a stream of a server that shuts down resumes elsewhere", async () => {
  answers = [
    { lines: [event(1), end("END_REASON_SHUTTING_DOWN")] },
    { lines: [end("END_REASON_GAME_OVER")] },
  ];
  const reasons = [];
  for await (const message of client().watchGame("g1")) if (message.end) reasons.push(message.end.reason);
  assert.deepEqual(reasons, ["END_REASON_SHUTTING_DOWN", "END_REASON_GAME_OVER"]);
});

test("a stream of a revoked key throws an error", async () => {
  answers = [{ lines: [event(1), end("END_REASON_KEY_REVOKED")] }];
  await assert.rejects(async () => {
    for await (const _ of client().watchGame("g1"));
  }, { reason: "KEY_REVOKED", status: 401, temporary: false });
  assert.equal(requests.length, 1);
});

test("a client that replaces its own key resumes its streams", async () => {
  answers = [
    { lines: [event(1), end("END_REASON_KEY_REVOKED")] },
    { lines: [end("END_REASON_GAME_OVER")] },
  ];
  const flipside = client();
  for await (const message of flipside.watchGame("g1")) if (message.version === 1) flipside.key = "new";
  assert.deepEqual(requests.map(({ headers }) => headers.authorization), ["Bearer secret", "Bearer new"]);
});

test("a silent stream is cut after the heartbeat interval and resumes", async () => {
  const first = { result: { version: 1, heartbeatInterval: "0.1s", event: { version: 1 } } };
  answers = [{ lines: [first], hang: true }, { lines: [event(2), end("END_REASON_GAME_OVER")] }];
  const versions = [];
  for await (const message of client().watchGame("g1", { afterVersion: 0 })) versions.push(message.version);
  assert.deepEqual(versions, [1, 2, 9]);
});

test("an abort ends a stream without an error", async () => {
  answers = [{ lines: [event(1)], hang: true }];
  const stop = new AbortController();
  for await (const message of client().watchGame("g1", { signal: stop.signal })) {
    assert.equal(message.version, 1);
    stop.abort();
  }
});

test("a stream throws what a retry cannot repair", async () => {
  answers = [{ status: 404, body: { message: "no game", details: [{ reason: "GAME_NOT_FOUND" }] } }];
  await assert.rejects(async () => {
    for await (const _ of client().watchGame("g1"));
  }, { reason: "GAME_NOT_FOUND" });
});

test("an analysis yields one message per depth", async () => {
  const depth = (value) => ({ result: { analysis: { depth: value, final: value === 2 } } });
  answers = [{ lines: [depth(1), depth(2)] }];
  const depths = [];
  const request = { position: { notation: "…" }, strategy: { level: "LEVEL_EXPERT" } };
  for await (const analysis of client().analyze(request)) depths.push(analysis.depth);
  assert.deepEqual(depths, [1, 2]);
});

test("a search for a move yields its progress and at last the choice", async () => {
  const lines = [{ progress: { depth: 1 } }, { choice: { chosen: { notation: "d3" } } }];
  answers = [{ lines: lines.map((result) => ({ result })) }];
  const received = [];
  for await (const message of client().searchMove({ position: { notation: "…" }, strategy: {} })) received.push(message);
  assert.deepEqual(received, lines);
});

test("a webhook is set, read and deleted", async () => {
  const webhook = { url: "https://example.com/turns", disabled: false };
  answers = [{ body: { webhook, secret: "whsec_1" } }, { body: { webhook } }, { body: {} }];
  assert.equal((await client().setWebhook(webhook.url)).secret, "whsec_1");
  assert.deepEqual(await client().webhook(), webhook);
  await client().deleteWebhook();
  assert.deepEqual(requests.map(({ method, url }) => `${method} ${url}`),
    ["POST /v1/webhook", "GET /v1/webhook", "POST /v1/webhook:delete"]);
  assert.deepEqual(JSON.parse(requests[0].body), { url: webhook.url, newSecret: false });
});

const turn = (fields) => ({ result: { cursor: "1", turn: { gameId: "g1", side: "SIDE_FIRST", ...fields } } });
const over = { result: { cursor: "2", gameOver: { gameId: "g1", version: 4 } } };
const waiting = (version) => ({ body: { game: { id: "g1", version, turn: { side: "SIDE_FIRST" } } } });
const legal = (version) => ({ body: { moves: [{ notation: "d3" }, { notation: "c4" }], nextPageToken: "", version } });
const rejected = (reason) => ({ status: 409, body: { message: "no", details: [{ reason }] } });
const lastMove = (_, moves) => moves.at(-1);

test("a bot accepts an invitation and plays the game to its end", async () => {
  answers = [
    { lines: [turn({ version: 1, invitation: true }), turn({ version: 2 }), over, over], hang: true },
    { body: { game: { id: "g1" } } }, waiting(2), legal(2), { body: { event: { version: 3 } } },
  ];
  for await (const { gameId } of new Bot(client()).play(lastMove)) {
    assert.equal(gameId, "g1");
    break;
  }
  assert.deepEqual(requests.map(({ url }) => url.split("?")[0]), [
    "/v1/turns:watch", "/v1/games/g1:join", "/v1/games/g1", "/v1/games/g1/legalMoves", "/v1/games/g1/moves",
  ]);
  const { notation, expectedVersion } = JSON.parse(requests.at(-1).body);
  assert.deepEqual({ notation, expectedVersion }, { notation: "c4", expectedVersion: 2 });
});

test("every turn comes once, also if a resumed stream repeats it", async () => {
  answers = [
    { lines: [turn({ version: 1 })] },
    { lines: [turn({ version: 1 }), turn({ version: 2 }), over], hang: true },
  ];
  const seen = [];
  for await (const { turn, gameOver } of client().watchTurns()) {
    seen.push((turn ?? gameOver).version);
    if (gameOver) break;
  }
  assert.deepEqual(seen, [1, 2, 4]);
});

test("a client keeps the versions of a bounded number of games", () => {
  const versions = new Versions(2);
  const advanced = [["a", 1], ["a", 1], ["b", 1], ["c", 1], ["c", 2], ["b", 1], ["a", 1]]
    .map(([game, version]) => versions.advance(game, version));
  assert.deepEqual(advanced, [true, false, true, true, true, false, true]);
});

test("a bot chooses again when the game has changed", async () => {
  answers = [
    { lines: [turn({ version: 2 }), over], hang: true },
    waiting(2), legal(2), rejected("VERSION_MISMATCH"), waiting(3), legal(3), rejected("GAME_OVER"),
  ];
  const versions = [];
  const choose = (game, moves) => {
    versions.push(game.version);
    return moves[0];
  };
  for await (const _ of new Bot(client()).play(choose)) break;
  assert.deepEqual(versions, [2, 3]);
});

test("a bot throws the error of an illegal move", async () => {
  answers = [{ lines: [turn({ version: 2 })], hang: true }, waiting(2), legal(2), rejected("CELL_TAKEN")];
  await assert.rejects(new Bot(client()).run(lastMove), { reason: "CELL_TAKEN" });
});
