import { errorOf, FlipsideError, unreachable } from "./errors.js";

/** Options of a client. */
export interface Options {
  /** Address of the gateway, such as `https://play.example.com`. Default: the page's origin. */
  baseUrl?: string;
  /** Key of the player, token, or service key. Sent as a bearer token. */
  key?: string;
  /** External id of the user that a service key acts for. */
  onBehalfOf?: string;
  /** Replacement of the global `fetch`. */
  fetch?: typeof fetch;
  /** Attempts of a call that may be repeated safely. Default: 4. */
  attempts?: number;
  /** Milliseconds until an attempt without a response fails. Default: 20 s. */
  timeout?: number;
}

/** One HTTP call of the API. */
export interface Call {
  method: "GET" | "POST";
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  body?: object;
  /** Whether the call may be repeated: it changes nothing or carries a request id. */
  repeatable: boolean;
  signal?: AbortSignal | undefined;
}

const firstRetryDelay = 200;
const longestRetryDelay = 5_000;
/** The longest delay in milliseconds that a server can ask for. After a longer one a call fails. */
const longestWait = 10_000;

/** Sends HTTP calls and repeats those that may be repeated. */
export class Transport {
  key: string | undefined;
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
    this.key = options.key;
  }

  /** Returns the JSON response of a call, or throws a {@link FlipsideError}. */
  async call<T>(call: Call): Promise<T> {
    const attempts = this.#options.attempts ?? 4;
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.#once(call)) as T;
      } catch (error) {
        const temporary = error instanceof FlipsideError && error.temporary;
        const repeatable = call.repeatable || (temporary && error.notSent);
        if (!temporary || !repeatable || attempt >= attempts || call.signal?.aborted) {
          throw error;
        }
        if ((error.retryAfter ?? 0) > longestWait) throw error;
        await sleep(retryDelay(attempt, error.retryAfter), call.signal);
      }
    }
  }

  async #once(call: Call): Promise<unknown> {
    const timeout = AbortSignal.timeout(this.#options.timeout ?? 20_000);
    const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout;
    const response = await this.send(call, "application/json", signal);
    try {
      return await response.json();
    } catch (cause) {
      throw unreachable(cause);
    }
  }

  /** Sends a call once and returns the response if its status is 2xx. */
  async send(call: Call, accept: string, signal?: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { Accept: accept };
    if (call.body) headers["Content-Type"] = "application/json";
    if (this.key) headers["Authorization"] = `Bearer ${this.key}`;
    if (this.#options.onBehalfOf) headers["Flipside-On-Behalf-Of"] = this.#options.onBehalfOf;
    const init: RequestInit = { method: call.method, headers };
    if (call.body) init.body = JSON.stringify(call.body);
    if (signal) init.signal = signal;
    let response: Response;
    try {
      response = await (this.#options.fetch ?? fetch)(this.#url(call), init);
    } catch (cause) {
      call.signal?.throwIfAborted();
      throw unreachable(cause);
    }
    if (!response.ok) {
      throw await errorOf(response);
    }
    return response;
  }

  #url(call: Call): string {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(call.query ?? {})) {
      if (value !== undefined) query.set(name, String(value));
    }
    const text = query.toString();
    return (this.#options.baseUrl ?? "") + call.path + (text && `?${text}`);
  }
}

/**
 * Returns the delay before the next attempt: doubled each time, with jitter, and never shorter than
 * the server asked for.
 */
export function retryDelay(attempt: number, retryAfter = 0): number {
  const backoff = Math.min(longestRetryDelay, firstRetryDelay * 2 ** (attempt - 1));
  return Math.max(retryAfter, backoff * (0.5 + Math.random() / 2));
}

/** Resolves after a time, or rejects when the signal aborts. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const aborted = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", aborted);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", aborted, { once: true });
  });
}

/**
 * Returns a random UUID. `crypto.randomUUID` exists only in secure contexts, and a board may be
 * served over plain HTTP.
 */
export function newRequestId(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
