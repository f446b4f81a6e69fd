import type { Flipside, Game, GameOver, LegalMove, TurnNotice } from "./client.js";
import { FlipsideError } from "./errors.js";
import type { StreamOptions } from "./stream.js";
import { sleep } from "./transport.js";
import { Versions } from "./versions.js";

/** Chooses one of the legal moves of the side to move. The list is never empty. */
export type Choose = (game: Game, moves: LegalMove[]) => LegalMove | Promise<LegalMove>;

/** Reasons of a move that the game no longer waits for. */
const tooLate = new Set([
  "GAME_NOT_FOUND", "GAME_NOT_STARTED", "GAME_OVER", "NOT_YOUR_TURN", "SEAT_TAKEN",
]);

/**
 * A player that accepts every invitation and plays every game that waits for it, one move after the
 * other. It survives restarts of the server and lost connections. A restarted bot continues its
 * games.
 */
export class Bot {
  readonly #client: Flipside;
  readonly #acceptInvitations: boolean;

  constructor(client: Flipside, { acceptInvitations = true } = {}) {
    this.#client = client;
    this.#acceptInvitations = acceptInvitations;
  }

  /** Plays until the signal aborts, or a call throws an error that a retry cannot repair. */
  async run(choose: Choose, options: StreamOptions = {}): Promise<void> {
    const games = this.play(choose, options);
    while (!(await games.next()).done);
  }

  /** Plays as `run` does, and yields the end of every game once. */
  async *play(choose: Choose, options: StreamOptions = {}): AsyncGenerator<GameOver, void, void> {
    const ended = new Versions();
    for await (const { turn, gameOver } of this.#client.watchTurns(options)) {
      if (turn) await this.#answer(turn, choose, options.signal);
      if (gameOver && ended.advance(gameOver.gameId, 0)) yield gameOver;
    }
  }

  /** Answers a turn, however long the server is unavailable. */
  async #answer(turn: TurnNotice, choose: Choose, signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted) {
      try {
        if (await this.#answerOnce(turn, choose)) return;
      } catch (error) {
        if (!(error instanceof FlipsideError)) throw error;
        if (tooLate.has(error.reason)) return;
        if (error.temporary) await sleep(error.retryAfter || 1000, signal).catch(() => undefined);
        else if (error.reason !== "VERSION_MISMATCH") throw error;
      }
    }
  }

  /** Reports whether the game no longer waits for this turn. */
  async #answerOnce(turn: TurnNotice, choose: Choose): Promise<boolean> {
    const { gameId } = turn;
    if (turn.invitation) {
      if (this.#acceptInvitations) await this.#client.join(gameId);
      return true;
    }
    const game = await this.#client.game(gameId);
    if (game.turn?.side !== turn.side) return true;
    const legal = await this.#client.legalMoves(gameId);
    if (legal.version !== game.version) return false;
    const move = await choose(game, legal.moves);
    await this.#client.play(gameId, move.notation, game.version);
    return true;
  }
}
