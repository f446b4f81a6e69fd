import type { components, operations } from "./schema.js";
import { messages, resume, type StreamOptions } from "./stream.js";
import { type Call, newRequestId, type Options, Transport } from "./transport.js";

type Schemas = components["schemas"];
type Body<Operation extends keyof operations> = operations[Operation] extends {
  requestBody: { content: { "application/json": infer B } };
}
  ? B
  : never;
type Query<Operation extends keyof operations> = NonNullable<operations[Operation]["parameters"]["query"]>;

export type Player = Schemas["flipside.game.v1.Player"];
export type Game = Schemas["flipside.game.v1.Game"];
export type GameEvent = Schemas["flipside.game.v1.Event"];
export type GameMessage = Schemas["flipside.game.v1.WatchGameResponse"];
export type TurnMessage = Schemas["flipside.game.v1.WatchTurnsResponse"];
export type LegalMove = Schemas["flipside.rules.v1.LegalMove"];
export type Analysis = Schemas["flipside.strategy.v1.Analysis"];
export type NewGame = Body<"GameService_CreateGame">;
export type Played = Schemas["flipside.game.v1.PlayMoveResponse"];

/**
 * A client of one Flipside server for one player. Calls that change something carry a request id, so that they are repeated safely after a
 * lost response. Every failed call throws a `FlipsideError`.
 */
export class Flipside {
  readonly #transport: Transport;

  constructor(options: Options = {}) {
    this.#transport = new Transport(options);
  }

  /** The key that calls are made with. */
  get key(): string | undefined {
    return this.#transport.key;
  }

  set key(key: string | undefined) {
    this.#transport.key = key;
  }

  /** Creates a player and uses their key from now on. The key is shown only once: store it. */
  async createPlayer(displayName: string): Promise<{ player: Player; key: string }> {
    const made = await this.#transport.call<{ player: Player; key: string }>({
      method: "POST", path: "/v1/players", body: { displayName }, repeatable: false,
    });
    this.key = made.key;
    return made;
  }

  async me(): Promise<Player> {
    return (await this.#get<{ player: Player }>("/v1/players/me")).player;
  }

  async createGame(game: NewGame): Promise<Game> {
    return this.#change("/v1/games", game);
  }

  async game(id: string): Promise<Game> {
    return (await this.#get<{ game: Game }>(`/v1/games/${id}`)).game;
  }

  /** Returns one page of games, newest first. */
  async games(query: Query<"GameService_ListGames"> = {}): Promise<{ games: Game[]; nextPageToken: string }> {
    return this.#get("/v1/games", query);
  }

  async join(id: string, body: Body<"GameService_JoinGame"> = {}): Promise<Game> {
    return this.#change(`/v1/games/${id}:join`, body);
  }

  /** Plays a move, for example `d3`, `1,-2`, `k3@0,1` or `pass`. */
  async play(id: string, notation: string, expectedVersion?: number): Promise<Played> {
    const body = expectedVersion === undefined ? { notation } : { notation, expectedVersion };
    return this.#post(`/v1/games/${id}/moves`, body);
  }

  async legalMoves(id: string, query: Query<"GameService_ListLegalMoves"> = {}): Promise<LegalMove[]> {
    const moves: LegalMove[] = [];
    for (let pageToken: string | undefined; pageToken !== ""; ) {
      const page = await this.#get<{ moves: LegalMove[]; nextPageToken: string }>(`/v1/games/${id}/legalMoves`, {
        pageSize: 1000, ...query, pageToken,
      });
      moves.push(...page.moves);
      pageToken = page.nextPageToken;
    }
    return moves;
  }

  async events(id: string, query: Query<"GameService_ListEvents"> = {}): Promise<{ events: GameEvent[]; nextPageToken: string }> {
    return this.#get(`/v1/games/${id}/events`, query);
  }

  async resign(id: string, body: Body<"GameService_Resign"> = {}): Promise<Game> {
    return this.#change(`/v1/games/${id}:resign`, body);
  }

  async abort(id: string): Promise<Game> {
    return this.#change(`/v1/games/${id}:abort`, {});
  }

  async fork(id: string, body: Body<"GameService_ForkGame"> = {}): Promise<Game> {
    return this.#change(`/v1/games/${id}:fork`, body);
  }

  async setRobot(id: string, body: Body<"GameService_SetRobot">): Promise<Game> {
    return this.#change(`/v1/games/${id}:setRobot`, body);
  }

  /**
   * Follows a game: first a `snapshot`, or with `afterVersion` the events after it; then every event, until the game ends. The stream
   * resumes by itself without a gap.
   */
  async *watchGame(id: string, options: StreamOptions & { afterVersion?: number } = {}): AsyncGenerator<GameMessage, void, void> {
    let afterVersion = options.afterVersion;
    const next = (): Call => ({
      method: "GET", path: `/v1/games/${id}:watch`, query: { afterVersion }, repeatable: true,
    });
    for await (const message of resume<GameMessage>(this.#transport, next, options)) {
      afterVersion = message.version ?? afterVersion;
      yield message;
    }
  }

  /**
   * Follows all games of the player: first a `turn` for each game that waits for them, then every change. The stream resumes by itself. It may
   * repeat a turn (same game and version) but never misses one.
   */
  async *watchTurns(options: StreamOptions & { afterCursor?: string } = {}): AsyncGenerator<TurnMessage, void, void> {
    let afterCursor = options.afterCursor;
    const next = (): Call => ({ method: "GET", path: "/v1/turns:watch", query: { afterCursor }, repeatable: true });
    for await (const message of resume<TurnMessage>(this.#transport, next, options)) {
      afterCursor = message.cursor ?? afterCursor;
      yield message;
    }
  }

  /** Analyses a position: one analysis per finished depth, the last one marked `final`. */
  async *analyze(body: Body<"StrategyService_AnalyzePosition">, signal?: AbortSignal): AsyncGenerator<Analysis, void, void> {
    const call: Call = { method: "POST", path: "/v1/positions:analyze", body, repeatable: false, signal };
    for await (const message of messages<{ analysis?: Analysis }>(this.#transport, call)) {
      if (message.analysis) yield message.analysis;
    }
  }

  #get<T>(path: string, query: Call["query"] = {}): Promise<T> {
    return this.#transport.call({ method: "GET", path, query, repeatable: true });
  }

  #post<T>(path: string, body: object): Promise<T> {
    return this.#transport.call({ method: "POST", path, body: { requestId: newRequestId(), ...body }, repeatable: true });
  }

  async #change(path: string, body: object): Promise<Game> {
    return (await this.#post<{ game: Game }>(path, body)).game;
  }
}
