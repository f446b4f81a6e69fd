// Runs the script of clients/conformance. FLIPSIDE_URL is the address of the server and
// FLIPSIDE_CONTROL that of the controller.
import { Flipside, FlipsideError } from "../build/index.js";

const { FLIPSIDE_URL: baseUrl, FLIPSIDE_CONTROL: control } = process.env;

/** The calls whose arguments are not an id and a body. */
const calls = {
  createGame: (client, args) => client.createGame(args),
  me: (client) => client.me(),
  rotateKey: (client) => client.rotateKey(),
  play: (client, args) => client.play(args.gameId, args.notation, args.expectedVersion),
  watch: (client, { gameId, ...options }) => client.watchGame(gameId, options),
  turns: (client) => client.watchTurns(),
};

/** One case of the script, with players of its own. */
class Case {
  clients = {};
  streams = {};
  saved = {};

  async run(step) {
    if (step.fault) {
      const response = await fetch(`${control}/${step.fault}`, { method: "POST" });
      expect(response.ok, `the fault failed: ${response.status}`);
    } else if (step.end) {
      expect((await this.streams[step.end].next()).done, "the stream goes on");
    } else if (step.open) {
      this.streams[step.open] = this.call(await this.client(step), step);
    } else {
      await this.check(step);
    }
  }

  /** Compares the answer of a call, or a message of a stream, with the step. */
  async check(step) {
    let answer;
    try {
      if (step.next) {
        answer = (await this.streams[step.next].next()).value;
      } else {
        answer = await this.call(await this.client(step), step);
      }
    } catch (error) {
      if (!(error instanceof FlipsideError)) throw error;
      expect(error.reason === step.reason, `got ${error} [${error.reason}]`);
      expect(contains(error.metadata, step.metadata ?? {}), JSON.stringify(error.metadata));
      return;
    }
    expect(!step.reason, `got ${JSON.stringify(answer)}`);
    for (const [name, field] of Object.entries(step.save ?? {})) this.saved[name] = answer[field];
    expect(contains(answer, this.replace(step.expect ?? {})), `got ${JSON.stringify(answer)}`);
  }

  call(client, step) {
    const args = this.replace(step.args);
    const { gameId, ...body } = args;
    return calls[step.call] ? calls[step.call](client, args) : client[step.call](gameId, body);
  }

  /** Returns the client of a player, who is new in each case. */
  async client({ as, key, like }) {
    if (!this.clients[as]) {
      const client = new Flipside({ baseUrl });
      this.clients[as] = client;
      if (key !== undefined) client.key = key;
      else if (like) client.key = this.clients[like].key;
      else await client.createPlayer(as);
    }
    return this.clients[as];
  }

  /** Replaces the names of saved values by the values. */
  replace(value) {
    let text = JSON.stringify(value);
    for (const [name, saved] of Object.entries(this.saved)) {
      text = text.replaceAll(`"$${name}"`, JSON.stringify(saved));
    }
    return JSON.parse(text);
  }
}

function expect(holds, message) {
  if (!holds) throw new Error(message);
}

/** Reports whether an answer has all expected fields, and first elements of lists. */
function contains(got, want) {
  if (typeof want !== "object") return got === want;
  return Object.entries(want).every(([name, value]) => contains(got?.[name], value));
}

const { cases } = await (await fetch(`${control}/script`)).json();
for (const { name, steps } of cases) {
  const state = new Case();
  const start = Date.now();
  for (const [index, step] of steps.entries()) {
    try {
      await state.run(step);
    } catch (error) {
      process.exitCode = 1;
      console.error(`${name}: step ${index + 1}: ${error.stack}`);
      break;
    }
  }
  console.log(`${name}: ${Date.now() - start} ms`);
}
process.exit();
