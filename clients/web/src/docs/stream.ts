/** A request of Swagger UI. */
export interface Request extends RequestInit {
  userFetch?: (url: string, request: Request) => Promise<globalThis.Response>;
}

/** A response of Swagger UI. */
export interface Response {
  ok: boolean;
  url: string;
  text: string;
}

/** How long the page follows a stream, in milliseconds. */
const streamTime = 5000;

/** Calls the server and returns what a stream sends in its first seconds. */
export async function fetchStart(url: string, request: Request): Promise<globalThis.Response> {
  const response = await fetch(url, request);
  const type = response.headers.get("Content-Type") ?? "";
  if (!response.body || !/ndjson|event-stream/.test(type)) return response;
  const body = await readStart(response.body);
  const { status, statusText, headers } = response;
  const start = new globalThis.Response(body, { status, statusText, headers });
  Object.defineProperty(start, "url", { value: response.url });
  return start;
}

async function readStart(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  const timer = setTimeout(() => void reader.cancel(), streamTime);
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    clearTimeout(timer);
  }
}
