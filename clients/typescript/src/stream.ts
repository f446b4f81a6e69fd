import { FlipsideError, fromLine, keyRevoked, unreachable } from "./errors.js";
import { type Call, retryDelay, sleep, type Transport } from "./transport.js";

/** A change of a stream's connection, for a status line. */
export type Connection =
  | { state: "connected" }
  /** The connection was lost; the next attempt starts after `delay` milliseconds. */
  | { state: "waiting"; delay: number; error: FlipsideError };

/** Options of a stream. */
export interface StreamOptions {
  /** Ends the stream without an error. */
  signal?: AbortSignal;
  /** Is called whenever the connection changes. */
  onConnection?: (connection: Connection) => void;
}

/** The fields that messages of all resumable streams share. */
export interface Message {
  heartbeatInterval?: string;
  heartbeat?: object;
  end?: { reason?: string };
}

/** The silence that a stream without a known heartbeat interval may have, in milliseconds. */
const firstSilence = 30_000;

/** A line of a stream: a message, or the error that ended it. */
interface Line<M> {
  result?: M;
  error?: object;
}

/**
 * Yields the messages of one streaming call: one JSON object per line. It throws a
 * {@link FlipsideError} when the stream breaks, ends with an error, or stays silent for longer than
 * `silence()` milliseconds.
 */
export async function* messages<M>(
  transport: Transport,
  call: Call,
  silence: () => number = () => Number.POSITIVE_INFINITY,
): AsyncGenerator<M, void, void> {
  const watchdog = new AbortController();
  const signal = call.signal ? AbortSignal.any([call.signal, watchdog.signal]) : watchdog.signal;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expect = (): void => {
    clearTimeout(timer);
    const limit = silence();
    if (Number.isFinite(limit)) {
      timer = setTimeout(() => watchdog.abort(new Error(`no message for ${limit} ms`)), limit);
    }
  };
  try {
    expect();
    const response = await transport.send(call, "application/x-ndjson", signal);
    for await (const text of lines(response)) {
      const line = JSON.parse(text) as Line<M>;
      if (line.error) throw fromLine(line.error);
      clearTimeout(timer); // The time that the caller takes for a message is no silence.
      if (line.result) yield line.result;
      expect();
    }
  } catch (error) {
    call.signal?.throwIfAborted();
    throw error instanceof FlipsideError ? error : unreachable(error);
  } finally {
    clearTimeout(timer);
    watchdog.abort();
  }
}

/** Yields the non-empty lines of a response. */
async function* lines(response: Response): AsyncGenerator<string, void, void> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n");
    rest = parts.pop()!;
    for (const part of parts) {
      if (part) yield part;
    }
  }
}

/**
 * Yields the messages of a stream that resumes by itself: after a cut, a silent connection or a
 * restart of the server it opens the call that `next` returns. It returns when the followed game is
 * over or the caller aborts it, and throws a {@link FlipsideError} that a retry cannot repair, such
 * as `KEY_REVOKED`. Heartbeats are not yielded.
 */
export async function* resume<M extends Message>(
  transport: Transport,
  next: () => Call,
  options: StreamOptions,
): AsyncGenerator<M, void, void> {
  let silence = firstSilence;
  for (let attempt = 1; ; attempt++) {
    const { key } = transport;
    let failure = unreachable(new Error("the stream was cut"));
    try {
      const call = { ...next(), signal: options.signal };
      for await (const message of messages<M>(transport, call, () => silence)) {
        if (attempt > 0) options.onConnection?.({ state: "connected" });
        attempt = 0;
        const interval = Number.parseFloat(message.heartbeatInterval ?? "");
        if (interval > 0) silence = 2.5 * 1000 * interval;
        if (!message.heartbeat) yield message;
        if (message.end?.reason === "END_REASON_GAME_OVER") return;
        if (message.end?.reason === "END_REASON_KEY_REVOKED") failure = keyRevoked();
      }
    } catch (error) {
      if (options.signal?.aborted) return;
      if (!(error instanceof FlipsideError) || !error.temporary) throw error;
      failure = error;
    }
    const delay = retryDelay(Math.max(1, attempt), failure.retryAfter);
    options.onConnection?.({ state: "waiting", delay, error: failure });
    try {
      await sleep(delay, options.signal);
    } catch {
      return;
    }
    // A client that has replaced its own key resumes with the new one.
    if (failure.reason === "KEY_REVOKED" && transport.key === key) throw failure;
  }
}
