import type {
  Analysis, Flip, Game, GameKind, Input, OfferKind, Seat, Setup, Side, Strategy,
} from "@flipside-games/client";
import type { Ply } from "./session";

/** Returns the colour that names a side. */
export function sideName(kind: GameKind | undefined, side: Side | undefined): string {
  const cards = kind === "GAME_KIND_THREE_TRIOS";
  if (side === "SIDE_FIRST") return cards ? "Red" : "Black";
  return cards ? "Blue" : "White";
}

/** Returns the word for what a move flips. */
export function pieces(kind: GameKind | undefined, count: number): string {
  const word = kind === "GAME_KIND_THREE_TRIOS" ? "card" : "disc";
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

export function setupName(setup: Input<Setup> | undefined): string {
  if (setup?.threeTrios) {
    const size = /^(\d+) (\d+)/.exec(setup.threeTrios.grid ?? "");
    return `Three Trios ${size ? `${size[1]}×${size[2]}` : "3×3"}`;
  }
  const square = setup?.reversi?.square;
  if (square) return `Squares ${square.side || 8}×${square.side || 8}`;
  const rings = setup?.reversi?.hexagon?.rings || 5;
  return `Hexagons, ${rings} ${rings === 1 ? "ring" : "rings"}`;
}

const levels: Record<string, string> = {
  LEVEL_EASY: "Easy", LEVEL_MEDIUM: "Medium", LEVEL_HARD: "Hard", LEVEL_EXPERT: "Expert",
};

/** Returns the name of a strategy, with its limits. */
export function strategyName(strategy: Input<Strategy> | undefined): string {
  const [name, value] = Object.entries(strategy ?? {})[0] ?? ["robot", {}];
  if (name === "level") return levels[String(value)] ?? String(value);
  if (name === "skill") return `Skill ${String(value)}`;
  const limits = value as { maxDepth?: number; maxTime?: string };
  const parts = [
    limits.maxDepth ? `depth ${limits.maxDepth}` : "",
    limits.maxTime && limits.maxTime !== "0s" ? limits.maxTime.replace("s", " s") : "",
  ].filter(Boolean);
  return [sentence(name), ...parts].join(", ");
}

/** Turns `avoidNextToCorners` or `LEVEL_EASY` into words. */
export function sentence(name: string): string {
  const words = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function seatName(seat: Seat | undefined): string {
  if (seat?.robot) return `Robot · ${strategyName(seat.robot.strategy)}`;
  if (seat?.player) return `${seat.player.displayName || "Player"}${seat.player.invited ? " (invited)" : ""}`;
  return "Open seat";
}

interface OfferWords {
  readonly verb: string;
  readonly object: string;
  readonly noun: string;
}

const offers: Partial<Record<OfferKind, OfferWords>> = {
  OFFER_KIND_DRAW: { verb: "offer", object: "a draw", noun: "draw" },
  OFFER_KIND_REMATCH: { verb: "offer", object: "a rematch", noun: "rematch" },
  OFFER_KIND_TAKEBACK: { verb: "ask", object: "to take a move back", noun: "takeback" },
};

/** Describes an open offer of the named side, or of the user without a name. */
export function describeOffer(kind: OfferKind, name: string | undefined): string {
  const { verb, object } = offers[kind]!;
  return name === undefined ? `You ${verb} ${object}.` : `${name} ${verb}s ${object}.`;
}

/** Describes how a side closed an offer: that of the opponent, or its own. */
export function describeDecline(kind: OfferKind, name: string, own: boolean): string {
  const { noun } = offers[kind]!;
  return own ? `${name} withdrew the offer of a ${noun}.` : `${name} declined the ${noun}.`;
}

const causes: Record<string, string> = {
  CAUSE_FALLEN_ACE: "fallen ace", CAUSE_SAME: "same", CAUSE_PLUS: "plus",
};

/** Returns the rule behind a flip if it deserves a word. */
export function causeName(flip: Flip): string {
  return causes[flip.cause] ?? "";
}

/** Describes a move for the move list and for screen readers. */
export function describePly(kind: GameKind | undefined, ply: Ply): string {
  const who = sideName(kind, ply.side);
  if (ply.notation === "pass") return `${who} passes`;
  const rules = [...new Set(ply.flips.map(causeName).filter(Boolean))];
  const how = rules.length > 0 ? ` (${rules.join(", ")})` : "";
  return `${who} plays ${ply.notation.replace("@", " on ")} and flips ${pieces(kind, ply.flips.length)}${how}`;
}

const endings: Record<string, string> = {
  ENDING_RESIGNATION: "by resignation", ENDING_TIME: "on time",
  ENDING_AGREEMENT: "by agreement",
};

/** Describes the result of a game from the view of a player who holds these sides. */
export function result(game: Game, mine: readonly Side[]): { title: string; detail: string } {
  if (game.state === "GAME_STATE_ABORTED") return { title: "Game aborted", detail: "It does not count." };
  const { outcome, score } = game;
  const how = (absent: string): string => outcome?.ending === "ENDING_ABANDONMENT"
    ? `because ${absent} left` : endings[outcome?.ending ?? ""] ?? "by score";
  const first = sideName(game.kind, "SIDE_FIRST");
  const second = sideName(game.kind, "SIDE_SECOND");
  const detail = `${first} ${score?.first ?? 0}, ${second} ${score?.second ?? 0}`;
  if (!outcome || outcome.draw) return { title: `Draw ${how("a player")}`, detail };
  if (mine.length !== 1) {
    return { title: `${sideName(game.kind, outcome.winner)} wins ${how("the opponent")}`, detail };
  }
  const won = mine[0] === outcome.winner;
  return { title: won ? `You won ${how("the opponent")}` : `You lost ${how("you")}`, detail };
}

/** Describes how far a search went. */
export function describeAnalysis(analysis: Analysis): string {
  if (analysis.depth === 0) return "no search";
  const sign = analysis.score > 0 ? "+" : "";
  const sure = analysis.exact ? "exact" : "estimate";
  return `${sign}${analysis.score} ${sure}, depth ${analysis.depth}, ` +
    `${count(Number(analysis.nodes))} nodes, ${seconds(analysis.time)}`;
}

export function count(value: number): string {
  return value >= 1e6 ? `${(value / 1e6).toFixed(1)} M`
    : value >= 1e4 ? `${Math.round(value / 1e3)} k` : String(value);
}

/** Formats a duration such as `1.25s`. */
export function seconds(duration: string | undefined): string {
  const value = Number.parseFloat(duration ?? "0");
  return value < 0.095 ? `${Math.round(value * 1000)} ms` : `${value.toFixed(1)} s`;
}

/** Returns a message of the server as a sentence. A cell or a move at its start stays as it is. */
export function asSentence(message: string): string {
  const text = /^[a-z]+\b/.test(message) ? message.charAt(0).toUpperCase() + message.slice(1) : message;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
