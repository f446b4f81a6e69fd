/** The latest version of each game, for the last games that changed. */
export class Versions {
  readonly #versions = new Map<string, number>();
  readonly #games: number;

  constructor(games = 100_000) {
    this.#games = games;
  }

  /** Stores the version of a game and returns whether it is later than the stored one. */
  advance(gameId: string, version: number): boolean {
    const last = this.#versions.get(gameId) ?? -1;
    this.#versions.delete(gameId); // A map keeps the order of insertion.
    this.#versions.set(gameId, Math.max(last, version));
    if (this.#versions.size > this.#games) {
      this.#versions.delete(this.#versions.keys().next().value!);
    }
    return version > last;
  }
}
