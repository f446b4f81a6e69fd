/** Client of the Flipside game server. Start with {@link Flipside}. */
export { Bot, type Choose } from "./bot.js";
export * from "./client.js";
export { FlipsideError, type FieldViolation } from "./errors.js";
export type { Connection, StreamOptions } from "./stream.js";
export type { Options } from "./transport.js";
export type { components } from "./schema.js";
