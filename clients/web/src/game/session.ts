import {
  type Analysis, type Flip, FlipsideError, type Game, type GameEvent, type GameMessage, type LegalMove,
  type MovePlayed, type OfferKind, type Played, type Position, type Score, type Side,
} from "@flipside-games/client";
import { alertTurn } from "../alerts";
import { asMe, client, me, renewed } from "../guest";
import { gamePath, navigate } from "../router";
import { Store } from "../store";
import { cardOf, cellOf, handOf, otherSide, ownedIn, withMove } from "./position";
import { asSentence, describeDecline, describeOffer, describePly, setupName, sideName } from "./words";

/** One move of the game, or a pass. */
export interface Ply {
  readonly version: number;
  readonly side: Side;
  readonly notation: string;
  readonly cell: string | undefined;
  readonly flips: readonly Flip[];
  readonly position: Position;
  readonly score: Score;
  readonly analysis: Analysis | undefined;
  readonly automatic: boolean;
  /** When the server got the move, in milliseconds. */
  readonly time: number;
}

/** The moves that a side may play at one version of the game, by cell. */
export interface MoveList {
  readonly version: number;
  readonly side: Side;
  readonly card: string | undefined;
  readonly byCell: ReadonlyMap<string, LegalMove>;
}

export type Link = { state: "connected" } | { state: "waiting"; until: number };

/** What the page knows of one game, and what its user has selected. */
export interface SessionState {
  /** Set when the game cannot be shown. */
  readonly failure: string | undefined;
  readonly game: Game | undefined;
  readonly start: Position | undefined;
  /** The side that moves first, once the game has started. */
  readonly first: Side | undefined;
  readonly plies: readonly Ply[];
  /** The number of plies that the board shows; undefined follows the game. */
  readonly viewed: number | undefined;
  /** The number of plies after which the last one is animated, since it was new to the user. */
  readonly animated: number;
  /** The user's own move until the server has confirmed it. */
  readonly pending: Ply | undefined;
  /** The sides that the user plays. */
  readonly mine: readonly Side[];
  /** The side that the user is invited to play. */
  readonly invitation: Side | undefined;
  readonly moves: MoveList | undefined;
  /** Whose hint numbers are shown. */
  readonly hints: Readonly<Record<string, boolean>>;
  /** The selected cell. */
  readonly cell: string | undefined;
  /** The cell with the keyboard focus. */
  readonly cursor: string | undefined;
  readonly card: { readonly side: Side; readonly name: string } | undefined;
  readonly message: { readonly text: string; readonly error: boolean } | undefined;
  /** What a screen reader announces. */
  readonly announcement: string;
  readonly link: Link;
  /** A robot that failed and is retried. */
  readonly delayed: { readonly side: Side; readonly attempt: number } | undefined;
  /** The progress of the robot to move. */
  readonly thinking: { readonly side: Side; readonly analysis: Analysis } | undefined;
  readonly forkedFrom: { readonly gameId: string; readonly version: number } | undefined;
}

const empty: SessionState = {
  failure: undefined, game: undefined, start: undefined, first: undefined, plies: [],
  viewed: undefined, animated: 0, pending: undefined, mine: [], invitation: undefined,
  moves: undefined, hints: {}, cell: undefined, cursor: undefined,
  card: undefined, message: undefined, announcement: "", link: { state: "connected" },
  delayed: undefined, thinking: undefined, forkedFrom: undefined,
};

/** What a player reads whose key was revoked. */
const newGuest = "Your key is no longer valid. You are a new guest, who can only watch this game.";

/** Follows one game and plays in it. */
export class GameSession extends Store<SessionState> {
  readonly id: string;
  /** Moves the keyboard focus to the board. The board sets it. */
  focusBoard: () => void = () => undefined;
  readonly #closed = new AbortController();
  /** The version of the last event that was applied. */
  #version = 0;
  /** The version when the page opened. Earlier events are no news to the user. */
  #opened = 0;
  /** The side that made the last offer of each kind. The loaded game can be newer than an event. */
  readonly #offers = new Map<OfferKind, Side>();
  #refreshing = false;
  #stale = false;
  #sending = false;
  /** Milliseconds that the clock of the server is ahead of the clock of this browser. */
  #ahead = 0;

  constructor(id: string) {
    super(empty);
    this.id = id;
  }

  /** Loads the game and follows it until close. */
  async open(): Promise<void> {
    let key: string | undefined;
    try {
      if (client.key === undefined) await me();
      ({ key } = client);
      const loaded = this.#load();
      loaded.catch(() => undefined); // Following the game reports it.
      await this.#follow(loaded);
    } catch (error) {
      if (this.#closed.signal.aborted) return;
      if (await renewed(key, error)) {
        if (this.state.mine.length > 0) this.#say(newGuest, true);
        await this.open();
        return;
      }
      if (error instanceof FlipsideError && error.temporary) {
        this.#retryOpen();
        return;
      }
      this.set({ failure: asSentence(textOf(error)) });
    }
  }

  async #load(): Promise<void> {
    const [player, game] = await Promise.all([me(), client.game(this.id)]);
    this.#opened = game.version;
    this.set({ game, ...seatsOf(game, player.id) });
    void this.#loadMoves().catch(() => undefined);
  }

  close(): void {
    this.#closed.abort();
  }

  /** Returns the time of the server in milliseconds. */
  now(): number {
    return Date.now() + this.#ahead;
  }

  #retryOpen(): void {
    const delay = 3000;
    this.set({ link: { state: "waiting", until: Date.now() + delay } });
    setTimeout(() => {
      if (!this.#closed.signal.aborted) void this.open();
    }, delay);
  }

  /** Opens the stream at once, and applies its messages to the loaded game. */
  async #follow(loaded: Promise<void>): Promise<void> {
    const messages = client.watchGame(this.id, {
      afterVersion: this.#version,
      signal: this.#closed.signal,
      onConnection: (link) => {
        if (link.state === "waiting") {
          this.set({ link: { state: "waiting", until: Date.now() + link.delay } });
        } else if (this.state.link.state === "waiting") {
          this.set({ link });
          void this.#refresh();
        }
      },
    });
    for await (const message of messages) {
      await loaded;
      this.#receive(message);
    }
    if (this.#closed.signal.aborted) return;
    await this.#refresh();
    if (this.state.mine.length > 0) await this.#followAfterEnd();
  }

  /** Follows offers of a rematch: the stream of a game ends with the game. */
  async #followAfterEnd(): Promise<void> {
    const messages = client.watchTurns({
      signal: this.#closed.signal,
      onConnection: ({ state }) => {
        if (state === "connected") void this.#catchUp(); // The stream does not show earlier offers.
      },
    });
    for await (const { gameOver } of messages) {
      if (gameOver?.gameId === this.id && gameOver.version > this.#version) await this.#catchUp();
    }
  }

  /** Applies the events after the last one. */
  async #catchUp(): Promise<void> {
    try {
      const { events } = await client.events(this.id, { afterVersion: this.#version });
      for (const event of events) this.#apply(event);
    } catch (error) {
      if (!(error instanceof FlipsideError)) throw error; // The stream reports lost connections.
    }
  }

  #receive(message: GameMessage): void {
    if (message.time && message.heartbeatInterval) this.#ahead = Date.parse(message.time) - Date.now();
    if (message.event) this.#apply(message.event);
    if (message.robotDelayed) {
      this.set({ delayed: { side: message.robotDelayed.side, attempt: message.robotDelayed.attempt } });
    }
    if (message.robotThinking?.analysis && message.version === this.#version) {
      const { side, analysis } = message.robotThinking;
      this.set({ thinking: { side, analysis } });
    }
  }

  #apply(event: GameEvent): void {
    if (event.version <= this.#version) return;
    this.#version = event.version;
    const news = event.version > this.#opened;
    if (this.state.thinking) this.set({ thinking: undefined });
    if (news) this.set({ message: undefined }); // It can be wrong after the event.
    if (event.created) {
      const { position, forkedFrom } = event.created;
      this.set({
        start: position,
        forkedFrom: forkedFrom && { gameId: forkedFrom.gameId, version: forkedFrom.version },
      });
    }
    if (event.started) this.set({ first: event.started.turn });
    if (event.movePlayed) this.#applyMove(event, event.movePlayed);
    if (event.movesTakenBack) this.#takeBack(event.movesTakenBack.toVersion);
    if (event.offerMade) this.#offers.set(event.offerMade.kind, event.offerMade.side);
    if (news) this.#report(event);
    if (event.version > (this.state.game?.version ?? 0)) void this.#refresh();
  }

  #applyMove(event: GameEvent, move: MovePlayed): void {
    const { plies, game, mine, moves, pending, card } = this.state;
    const ply = plyOf(event, move);
    if (card && card.name === cardOf(ply.notation)) this.set({ card: undefined }); // It left the hand.
    // The stream also replays moves that the loaded list already follows.
    const listed = moves && moves.version >= event.version ? moves : undefined;
    const live = event.version > (game?.version ?? 0) || pending !== undefined;
    this.set({
      plies: [...plies, ply], pending: undefined, delayed: undefined, moves: listed,
      ...(live ? { announcement: `${describePly(game?.kind, ply)}.`, animated: plies.length + 1 } : {}),
    });
    if (live && ply.notation === "pass" && !mine.includes(ply.side)) {
      this.#say(`${this.name(ply.side)} passes.`);
    }
  }

  /** Shows what an event without a move means to the user. */
  #report({ offerMade, offerDeclined, movesTakenBack, robotChanged }: GameEvent): void {
    const { mine } = this.state;
    if (offerMade && mine.length > 0) { // The buttons for it show the offer.
      const name = mine.includes(offerMade.side) ? undefined : this.name(offerMade.side);
      this.set({ announcement: describeOffer(offerMade.kind, name) });
    }
    if (offerDeclined && !mine.includes(offerDeclined.side)) {
      const { kind, side } = offerDeclined;
      this.#say(describeDecline(kind, this.name(side), this.#offers.get(kind) === side));
    }
    if (movesTakenBack) this.#say("The move was taken back.");
    if (robotChanged) this.#say(`${this.name(robotChanged.side)} has new settings.`);
  }

  #takeBack(version: number): void {
    const plies = this.state.plies.filter((ply) => ply.version <= version);
    this.set({ plies, viewed: undefined, cell: undefined, card: undefined, pending: undefined });
  }

  /** Loads the game after an event: turn, clocks and result are not part of events. */
  async #refresh(): Promise<void> {
    if (this.#refreshing) {
      this.#stale = true;
      return;
    }
    this.#refreshing = true;
    try {
      do {
        this.#stale = false;
        await this.#accept(await client.game(this.id));
      } while (this.#stale);
    } catch (error) {
      if (!(error instanceof FlipsideError)) throw error; // The stream reports lost connections.
    } finally {
      this.#refreshing = false;
    }
  }

  async #accept(game: Game): Promise<void> {
    const old = this.state.game;
    if (game.version < (old?.version ?? 0)) return;
    if (game.rematch && old && !old.rematch && this.state.mine.length > 0) {
      navigate(gamePath(game.rematch));
      return;
    }
    const { mine, invitation } = seatsOf(game, (await me()).id);
    this.set({ game, mine, invitation });
    const turn = game.turn?.side;
    if (old && turn && turn !== old.turn?.side && mine.length === 1 && mine.includes(turn)) {
      alertTurn(`Your turn: ${setupName(game.setup)}`);
    }
    await this.#loadMoves();
  }

  /** Loads the legal moves that the board marks. */
  async #loadMoves(): Promise<void> {
    const { game, mine, card, hints } = this.state;
    const turn = game?.turn?.side;
    const cards = game?.kind === "GAME_KIND_THREE_TRIOS";
    const side = cards ? card?.side : turn;
    const wanted = side && game?.state === "GAME_STATE_ACTIVE" &&
      ((side === turn && mine.includes(side)) || (cards && hints[side]));
    if (!wanted) {
      this.set({ moves: undefined });
      return;
    }
    const old = this.state.moves;
    const name = cards ? card?.name : undefined;
    if (old?.version === game.version && old.side === side && old.card === name) return;
    const query = name === undefined ? { side } : { side, card: name };
    const list = await client.legalMoves(this.id, query);
    const now = this.state;
    if (list.version !== now.game?.version || (cards && now.card?.name !== name)) return;
    const byCell = new Map(list.moves.map((move) => [cellOf(move.notation) ?? "pass", move]));
    this.set({ moves: { version: list.version, side, card: name, byCell } });
  }

  // Selecting

  /** Selects a cell. The selected cell, and undefined, end the selection. */
  select(cell: string | undefined): void {
    const same = cell === this.state.cell;
    this.set({ cell: same ? undefined : cell, ...(cell ? { message: undefined } : {}) });
  }

  clearSelection(): void {
    this.set({ cell: undefined, card: undefined, message: undefined });
    void this.#loadMoves().catch(() => undefined);
  }

  /** Selects a card of a hand. Cards of the opponent show their hints while these are on. */
  selectCard(side: Side, name: string): void {
    const { game, mine, card, hints } = this.state;
    const own = mine.includes(side);
    if (!own && !(hints[side] && game?.state === "GAME_STATE_ACTIVE")) {
      this.#say(mine.length === 0
        ? "You are watching this game."
        : `That card belongs to ${this.name(side)}. Select a card of your own hand.`, true);
      return;
    }
    const same = card?.side === side && card.name === name;
    this.set({ card: same ? undefined : { side, name }, message: undefined });
    if (!same && !own) {
      this.#say(`That card belongs to ${this.name(side)}. The numbers show how many cards it would flip.`);
    } else if (!same && game?.turn && game.turn.side !== side) {
      this.#say(`It is ${this.name(game.turn.side)}'s turn. You can look at hints until then.`);
    }
    void this.#loadMoves().catch(() => undefined);
  }

  /** Selects a card of the user's hand by its place, or the next one in a direction. */
  selectCardAt(index: number): void {
    const { side, hand } = this.#ownHand();
    const card = hand[index];
    if (side && card) this.selectCard(side, card.name);
  }

  selectNextCard(step: number): void {
    const { side, hand } = this.#ownHand();
    if (!side || hand.length === 0) return;
    const at = hand.findIndex((card) => card.name === this.state.card?.name);
    const next = at < 0 ? (step > 0 ? 0 : hand.length - 1) : (at + step + hand.length) % hand.length;
    this.selectCard(side, hand[next]!.name);
  }

  #ownHand(): { side: Side | undefined; hand: ReturnType<typeof handOf> } {
    const { game, mine } = this.state;
    const turn = game?.turn?.side;
    const side = turn && mine.includes(turn) ? turn : mine[0];
    return { side, hand: side && game?.position ? handOf(this.shown().position, side) : [] };
  }

  toggleHints(side: Side): void {
    const { hints, card, mine, game } = this.state;
    const on = !hints[side];
    this.set({ hints: { ...hints, [side]: on } });
    if (!on && card?.side === side && !mine.includes(side)) this.set({ card: undefined });
    const how = on && game?.kind === "GAME_KIND_THREE_TRIOS" && card?.side !== side
      ? ` Select a card of ${this.name(side)} to see what it would flip.` : "";
    this.#say(`Hints for ${this.name(side)} are ${on ? "on" : "off"}.${how}`);
    void this.#loadMoves().catch(() => undefined);
  }

  // Playing

  /** Plays on the selected cell. */
  place(cell = this.state.cell): void {
    const { game, card, mine } = this.state;
    const cards = game?.kind === "GAME_KIND_THREE_TRIOS";
    if (!this.mayMove()) return;
    if (cards && !(card && mine.includes(card.side))) {
      this.#say("Select a card of your hand first.", true);
    } else if (cell === undefined) {
      this.#say(cards ? "Select a cell for the card." : "Select a cell first.", true);
    } else {
      this.set({ cell });
      void this.#send(cards ? `${card!.name}@${cell}` : cell);
    }
  }

  pass(): void {
    if (this.state.game?.kind === "GAME_KIND_THREE_TRIOS") {
      this.#say("There is no passing in Three Trios.", true);
    } else if (this.mayMove()) {
      void this.#send("pass");
    }
  }

  /** The side to move now. Between a move and the reply to #refresh it is the opponent of the mover. */
  turn(): Side | undefined {
    const { game, plies, pending } = this.state;
    const last = pending ?? plies.at(-1);
    if (last && (pending || last.version > (game?.version ?? 0))) return otherSide(last.side);
    return game?.turn?.side;
  }

  /** Whether the game is loaded with the last move. */
  get current(): boolean {
    const { game, plies, pending } = this.state;
    return !pending && (plies.at(-1)?.version ?? 0) <= (game?.version ?? 0);
  }

  /** Reports whether it is the user's turn, with a message if it is not. */
  mayMove(): boolean {
    const { game, mine, viewed } = this.state;
    const turn = this.turn();
    if (viewed !== undefined) this.#say("The board shows an earlier position. Press Esc to return.", true);
    else if (game?.state === "GAME_STATE_WAITING") this.#say("The game waits for an opponent.", true);
    else if (!turn) this.#say("The game is over.", true);
    else if (mine.length === 0) this.#say("You are watching this game.", true);
    else if (!mine.includes(turn)) this.#say(`It is ${this.name(turn)}'s turn.`, true);
    else return this.current && !this.#sending;
    return false;
  }

  /** Reports whether the user may end the game, with a message if not. */
  mayEnd(): boolean {
    const { game, mine } = this.state;
    if (mine.length === 0) this.#say("You are watching this game.", true);
    else if (game?.state !== "GAME_STATE_ACTIVE") this.#say("The game is not in progress.", true);
    else return true;
    return false;
  }

  async #send(notation: string): Promise<void> {
    const { game } = this.state;
    const { key } = client;
    this.#sending = true;
    this.set({
      pending: this.#preview(notation), message: undefined, animated: this.state.plies.length + 1,
    });
    try {
      await this.#accepted(await client.play(this.id, notation, game?.version));
      this.set({ cell: undefined, card: undefined });
    } catch (error) {
      this.set({ pending: undefined });
      if (await renewed(key, error)) {
        this.#say(newGuest, true);
        void this.#refresh();
        return;
      }
      this.fail(error);
      if (error instanceof FlipsideError && error.reason === "VERSION_MISMATCH") void this.#refresh();
    } finally {
      this.#sending = false;
    }
  }

  async #accepted(played: Played): Promise<void> {
    // Earlier events may still be on their way; the stream then delivers this one as well.
    if (played.event?.version === this.#version + 1) this.#apply(played.event);
    if (played.game) await this.#accept(played.game);
  }

  /** Returns a listed move as a ply, to show before the server confirms it. */
  #preview(notation: string): Ply | undefined {
    const { game, moves, plies } = this.state;
    const move = moves?.version === game?.version ? moves?.byCell.get(cellOf(notation) ?? "pass") : undefined;
    if (!game?.position || !game.score || !move || move.notation !== notation) return undefined;
    const side = moves!.side;
    return {
      version: 0, side, notation, cell: cellOf(notation), flips: move.flips,
      position: withMove(this.shown().position, side, move),
      score: plies.at(-1)?.score ?? game.score, analysis: undefined, automatic: false, time: this.now(),
    };
  }

  /** Runs a call that changes the game and shows its failure as a message. */
  async act(call: () => Promise<Game>): Promise<Game | undefined> {
    try {
      const game = await asMe(call);
      if (game.id === this.id) await this.#accept(game);
      return game;
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  fail(error: unknown): void {
    this.#say(asSentence(textOf(error)), true);
  }

  /** Shows a message without blocking the game. */
  say(text: string): void {
    this.#say(text);
  }

  #say(text: string, error = false): void {
    this.set({ message: { text, error } });
  }

  /** Returns the colour of a side in this game. */
  name(side: Side | undefined): string {
    return sideName(this.state.game?.kind, side);
  }

  // Looking back

  /** Shows the position after some plies. All of them means to follow the game again. */
  view(plies: number): void {
    const last = this.state.plies.length;
    const to = Math.max(0, Math.min(last, plies));
    const forward = to === (this.state.viewed ?? last) + 1;
    this.set({
      viewed: to === last ? undefined : to, cell: undefined, animated: forward ? to : 0,
    });
  }

  /** Returns the side to move in the position on the board, as if the game had not ended. */
  sideToMove(): Side | undefined {
    const { first, plies, viewed } = this.state;
    const last = plies[(viewed ?? plies.length) - 1];
    return last ? otherSide(last.side) : first; // A pass is a ply too.
  }

  /** Returns the position on the board and the ply that led to it. */
  shown(): { position: Position; score: Score; ply: Ply | undefined; index: number } {
    const { plies, viewed, pending, game, start } = this.state;
    const index = viewed ?? plies.length;
    if (viewed === undefined && pending) {
      return { position: pending.position, score: pending.score, ply: pending, index: index + 1 };
    }
    const ply = plies[index - 1];
    const position = ply?.position ?? start ?? game!.position!;
    return { position, score: ply?.score ?? ownedIn(position), ply, index };
  }
}

function plyOf(event: GameEvent, move: MovePlayed): Ply {
  return {
    version: event.version, time: Date.parse(event.time ?? ""), side: move.side, notation: move.notation, cell: cellOf(move.notation),
    flips: move.flips, position: move.position!, score: move.score!,
    analysis: move.analysis, automatic: move.automatic,
  };
}

function seatsOf(game: Game, playerId: string): Pick<SessionState, "mine" | "invitation"> {
  const own = game.seats.filter((seat) => seat.player?.playerId === playerId);
  return {
    mine: own.filter((seat) => !seat.player?.invited).map((seat) => seat.side),
    invitation: own.find((seat) => seat.player?.invited)?.side,
  };
}

function textOf(error: unknown): string {
  if (error instanceof FlipsideError) return error.message;
  console.error(error);
  return "something went wrong in this page";
}
