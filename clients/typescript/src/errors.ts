/** A fault of one field of a request. */
export interface FieldViolation {
  /** Path of the field, for example `seats[1].robot.strategy`. */
  field: string;
  description: string;
}

/** The JSON body of an error response, a `google.rpc.Status`. */
interface StatusBody {
  code?: number;
  message?: string;
  details?: readonly Detail[];
}

interface Detail {
  "@type"?: string;
  reason?: string;
  metadata?: Record<string, string>;
  fieldViolations?: readonly FieldViolation[];
  retryDelay?: string;
}

/**
 * A failed call. `reason` is one of the reasons of the API, such as `NOT_YOUR_TURN`, or
 * `UNREACHABLE` when no response arrived, or `KEY_REVOKED` for a stream whose key was revoked.
 * `message` is a sentence for people.
 */
export class FlipsideError extends Error {
  override readonly name = "FlipsideError";

  constructor(
    message: string,
    /**
     * The reason of the API, `UNREACHABLE`, `KEY_REVOKED`, or `UNKNOWN` for a response that is not
     * from Flipside.
     */
    readonly reason: string,
    /** The HTTP status, 0 without a response. */
    readonly status: number,
    /** Variable parts of the message, such as `currentVersion`. */
    readonly metadata: Readonly<Record<string, string>> = {},
    readonly violations: readonly FieldViolation[] = [],
    /**
     * Milliseconds to wait before a retry, if the server named them. It names none for a limit that
     * time does not lift.
     */
    readonly retryAfter?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /**
   * Whether the same call may succeed later: the server or the network is unavailable, a rate limit
   * was exceeded, or the change lost to concurrent ones.
   */
  get temporary(): boolean {
    const limited = this.status === 429 && this.retryAfter !== undefined;
    return limited || [0, 502, 503, 504].includes(this.status) ||
      ["STORE_CONTENDED", "TOO_MANY_STREAMS"].includes(this.reason);
  }

  /** Whether the call certainly changed nothing, although it can succeed later. */
  get notSent(): boolean {
    const certain = this.metadata["sent"] === "false" || this.status === 429;
    return certain || this.reason === "STORE_CONTENDED";
  }
}

/** Returns the error of a request that got no response. */
export function unreachable(cause: unknown): FlipsideError {
  const message = "the server cannot be reached";
  return new FlipsideError(message, "UNREACHABLE", 0, {}, [], undefined, { cause });
}

/** Returns the error of a stream whose key was revoked while it was open. */
export function keyRevoked(): FlipsideError {
  return new FlipsideError("the key is no longer valid", "KEY_REVOKED", 401);
}

/** Returns the error of a response. */
export async function errorOf(response: Response): Promise<FlipsideError> {
  const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  let body: StatusBody;
  try {
    body = (await response.json()) as StatusBody;
  } catch {
    body = {};
  }
  return fromStatus(body, response.status, Number.isNaN(seconds) ? undefined : seconds * 1000);
}

/** The HTTP statuses of gRPC codes. */
const statuses: Readonly<Record<number, number>> = {
  1: 499, 3: 400, 4: 504, 5: 404, 6: 409, 7: 403, 8: 429, 9: 400, 10: 409, 11: 400, 12: 501, 14: 503,
  16: 401,
};

/** Returns the error that ended a stream. The status of its response was sent before. */
export function fromLine(body: StatusBody): FlipsideError {
  return fromStatus(body, statuses[body.code ?? 0] ?? 500);
}

/** Returns the error that a `google.rpc.Status` describes. */
export function fromStatus(body: StatusBody, status: number, retryAfter?: number): FlipsideError {
  const details = body.details ?? [];
  const info = details.find((d) => d.reason !== undefined);
  const delay = details.find((d) => d.retryDelay !== undefined)?.retryDelay;
  // A response without a reason is from a proxy.
  const unknown = info === undefined ? retryAfter : undefined;
  return new FlipsideError(
    body.message ?? `the server answered with status ${status}`,
    info?.reason ?? "UNKNOWN",
    status,
    info?.metadata ?? {},
    details.flatMap((d) => d.fieldViolations ?? []),
    delay === undefined ? unknown : Number.parseFloat(delay) * 1000,
  );
}
