import type { components } from "./schema.js";
import { messages, resume, type StreamOptions } from "./stream.js";
import { type Call, newRequestId, type Options, Transport } from "./transport.js";
import { Versions } from "./versions.js";

type Schemas = components["schemas"];
export type Player = Schemas["Player"];
export type Game = Schemas["Game"];
export type OfferKind = Schemas["OfferKind"];
export type GameState = Schemas["GameState"];
export type Seat = Schemas["Seat"];
/** A seat in a request. */
export type SeatInput = Schemas["SeatInput"];
export type TimeControl = Schemas["TimeControl"];
export type Visibility = Schemas["Visibility"];
export type GameEvent = Schemas["Event"];
export type MovePlayed = Schemas["MovePlayed"];
export type GameMessage = Schemas["WatchGameResponse"];
export type TurnMessage = Schemas["WatchTurnsResponse"];
export type TurnNotice = Schemas["TurnNotice"];
export type GameOver = Schemas["GameOver"];
export type GameKind = Schemas["GameKind"];
export type Side = Schemas["Side"];
export type Setup = Schemas["Setup"];
export type Position = Schemas["Position"];
export type Score = Schemas["Score"];
export type Card = Schemas["Card"];
export type Flip = Schemas["Flip"];
export type LegalMove = Schemas["LegalMove"];
export type Strategy = Schemas["Strategy"];
export type Robot = Schemas["Robot"];
export type StrategyInfo = Schemas["StrategyInfo"];
export type Analysis = Schemas["Analysis"];
export type SearchMessage = Schemas["SearchMoveResponse"];
export type Webhook = Schemas["Webhook"];

/** A request or a part of one: the server fills omitted fields with defaults. */
export type Input<T> = T extends readonly (infer Item)[]
  ? readonly Input<Item>[]
  : T extends object ? { readonly [Name in keyof T]?: Input<T[Name]> } : T;

export type NewGame = Input<{
  setup: Schemas["SetupInput"];
  /** The first side and the second side; open if omitted. */
  seats: SeatInput[];
  visibility: Visibility;
  timeControl: Schemas["TimeControlInput"];
}>;
export type Played = Schemas["PlayMoveResponse"];

/** A page of a list. An empty token means that there are no more pages. */
type Paged = {
  pageSize?: number;
  pageToken?: string;
};

/** A position and the strategy that searches it. */
export interface AnalysisRequest {
  position: { notation: string };
  strategy: Input<Strategy>;
  /** The number of best lines, 1 to 32. Default: 1. */
  multiPv?: number;
}

/**
 * A client of one Flipside server for one player. Every call that changes something carries a
 * request id, so that the client can repeat it after a lost response. A failed call throws a
 * {@link FlipsideError}.
 */
export class Flipside {
  readonly #transport: Transport;

  constructor(options: Options = {}) {
    this.#transport = new Transport(options);
  }

  /** The key of the player, sent with every call. */
  get key(): string | undefined {
    return this.#transport.key;
  }

  set key(key: string | undefined) {
    this.#transport.key = key;
  }

  /**
   * Creates a player and uses their key from now on. The server shows the key only once: store it.
   */
  async createPlayer(displayName = ""): Promise<{ player: Player; key: string }> {
    const made = await this.#transport.call<{ player: Player; key: string }>({
      method: "POST", path: "/v1/players", body: { displayName }, repeatable: false,
    });
    this.key = made.key;
    return made;
  }

  /** Replaces the key of the player, uses the new one from now on and returns it: store it. */
  async rotateKey(): Promise<string> {
    const { key } = await this.#transport.call<{ key: string }>({
      method: "POST", path: "/v1/players/me:rotateKey", body: {}, repeatable: false,
    });
    this.key = key;
    return key;
  }

  /** Returns the player of the key. */
  async me(): Promise<Player> {
    return (await this.#get<{ player: Player }>("/v1/players/me")).player;
  }

  /**
   * Sends the notices of the player, or of the users of a service key, to a URL from now on. The
   * secret of the signatures stays the same unless `newSecret` is true.
   */
  async setWebhook(
    url: string, { newSecret = false } = {},
  ): Promise<{ webhook: Webhook; secret: string }> {
    return this.#transport.call({
      method: "POST", path: "/v1/webhook", body: { url, newSecret }, repeatable: true,
    });
  }

  /** Returns the webhook and the state of its deliveries; undefined if there is none. */
  async webhook(): Promise<Webhook | undefined> {
    return (await this.#get<{ webhook?: Webhook }>("/v1/webhook")).webhook;
  }

  async deleteWebhook(): Promise<void> {
    await this.#transport.call({
      method: "POST", path: "/v1/webhook:delete", body: {}, repeatable: true,
    });
  }

  async createGame(game: NewGame): Promise<Game> {
    return this.#change("/v1/games", game);
  }

  async game(id: string): Promise<Game> {
    return (await this.#get<{ game: Game }>(gamePath(id))).game;
  }

  /** Returns one page of games, newest first. The player id `me` stands for the caller. */
  async games(
    query: Paged & { state?: GameState; kind?: GameKind; playerId?: string } = {},
  ): Promise<{ games: Game[]; nextPageToken: string }> {
    return this.#get("/v1/games", query);
  }

  /** Takes a seat, by default the first open one, or accepts an invitation. */
  async join(id: string, body: { side?: Side } = {}): Promise<Game> {
    return this.#change(`${gamePath(id)}:join`, body);
  }

  /** Plays a move, for example `d3`, `1,-2`, `anchor@0,1` or `pass`. */
  async play(id: string, notation: string, expectedVersion?: number): Promise<Played> {
    const body = expectedVersion === undefined ? { notation } : { notation, expectedVersion };
    return this.#post(`${gamePath(id)}/moves`, body);
  }

  /** Returns the legal moves of a side, by default the side to move, and the game's version. */
  async legalMoves(
    id: string, query: { side?: Side; card?: string } = {},
  ): Promise<{ moves: LegalMove[]; version: number }> {
    const moves: LegalMove[] = [];
    for (let pageToken = ""; ; ) {
      const page = await this.#get<{ moves: LegalMove[]; nextPageToken: string; version: number }>(
        `${gamePath(id)}/legalMoves`, { pageSize: 1000, ...query, pageToken },
      );
      moves.push(...page.moves);
      pageToken = page.nextPageToken;
      if (!pageToken) return { moves, version: page.version };
    }
  }

  async events(
    id: string, query: Paged & { afterVersion?: number; wait?: string } = {},
  ): Promise<{ events: GameEvent[]; nextPageToken: string }> {
    return this.#get(`${gamePath(id)}/events`, query);
  }

  /** Resigns. A caller who holds both seats names the side. */
  async resign(id: string, body: { side?: Side } = {}): Promise<Game> {
    return this.#change(`${gamePath(id)}:resign`, body);
  }

  /** Aborts a game that has hardly begun, or declines an invitation. */
  async abort(id: string): Promise<Game> {
    return this.#change(`${gamePath(id)}:abort`, {});
  }

  /** Makes an offer to the opponent, or accepts their open offer of the same kind. */
  async offer(id: string, body: { kind: OfferKind; side?: Side }): Promise<Game> {
    return this.#change(`${gamePath(id)}:offer`, body);
  }

  /** Declines an open offer of the opponent. */
  async declineOffer(id: string, body: { kind: OfferKind; side?: Side }): Promise<Game> {
    return this.#change(`${gamePath(id)}:declineOffer`, body);
  }

  /** Claims the game from an opponent who is away. */
  async claim(id: string): Promise<Game> {
    return this.#change(`${gamePath(id)}:claim`, {});
  }

  /** Creates a game from the position after a version, by default the latest. */
  async fork(id: string, body: Omit<NewGame, "setup"> & { version?: number } = {}): Promise<Game> {
    return this.#change(`${gamePath(id)}:fork`, body);
  }

  /** Sets what a robot plays from its next move on. */
  async setRobot(id: string, body: Input<Robot> & { side?: Side }): Promise<Game> {
    return this.#change(`${gamePath(id)}:setRobot`, body);
  }

  /** Returns all strategies with their parameters. */
  async strategies(): Promise<StrategyInfo[]> {
    return (await this.#get<{ strategies: StrategyInfo[] }>("/v1/strategies")).strategies;
  }

  /**
   * Follows a game: first a `snapshot`, or with `afterVersion` the events after it; then every
   * event, until the game ends. The stream resumes by itself without a gap.
   */
  async *watchGame(
    id: string, options: StreamOptions & { afterVersion?: number } = {},
  ): AsyncGenerator<GameMessage, void, void> {
    let afterVersion = options.afterVersion;
    const next = (): Call => ({
      method: "GET", path: `${gamePath(id)}:watch`, query: { afterVersion }, repeatable: true,
    });
    for await (const message of resume<GameMessage>(this.#transport, next, options)) {
      afterVersion = message.version ?? afterVersion;
      yield message;
    }
  }

  /**
   * Follows all games of the player: first a `turn` for each game that waits for them, then every
   * change once. The stream resumes by itself without a gap.
   */
  async *watchTurns(
    options: StreamOptions & { afterCursor?: string } = {},
  ): AsyncGenerator<TurnMessage, void, void> {
    let afterCursor = options.afterCursor;
    const versions = new Versions();
    const next = (): Call => ({
      method: "GET", path: "/v1/turns:watch", query: { afterCursor }, repeatable: true,
    });
    for await (const message of resume<TurnMessage>(this.#transport, next, options)) {
      afterCursor = message.cursor || afterCursor;
      const change = message.turn ?? message.gameOver;
      if (!change || versions.advance(change.gameId, change.version)) yield message;
    }
  }

  /** Analyses a position: one analysis per finished depth, the last one marked `final`. */
  async *analyze(
    body: AnalysisRequest, signal?: AbortSignal,
  ): AsyncGenerator<Analysis, void, void> {
    const call: Call = {
      method: "POST", path: "/v1/positions:analyze", body, repeatable: false, signal,
    };
    for await (const message of messages<{ analysis?: Analysis }>(this.#transport, call)) {
      if (message.analysis) yield message.analysis;
    }
  }

  /** Lets a strategy choose a move: a `progress` per finished depth, at last the `choice`. */
  searchMove(
    body: { position: { notation: string }; strategy: Input<Strategy>; seed?: string },
    signal?: AbortSignal,
  ): AsyncGenerator<SearchMessage, void, void> {
    return messages(this.#transport, {
      method: "POST", path: "/v1/positions:searchMove", body, repeatable: false, signal,
    });
  }

  #get<T>(path: string, query: Call["query"] = {}): Promise<T> {
    return this.#transport.call({ method: "GET", path, query, repeatable: true });
  }

  #post<T>(path: string, body: object): Promise<T> {
    return this.#transport.call({
      method: "POST", path, body: { requestId: newRequestId(), ...body }, repeatable: true,
    });
  }

  async #change(path: string, body: object): Promise<Game> {
    return (await this.#post<{ game: Game }>(path, body)).game;
  }
}

function gamePath(id: string): string {
  return `/v1/games/${encodeURIComponent(id)}`;
}
