import type { Game, GameKind, Input, NewGame, SeatInput, Setup, StrategyInfo, TimeControl } from "@flipside-games/client";
import { draftOf, type StrategyDraft, strategyOf } from "./strategies";

/** A new game while a person configures it. */
export interface GameDraft {
  readonly board: "hexagon" | "square" | "cards";
  readonly rings: number;
  readonly side: number;
  readonly mirrored: boolean;
  readonly forced: boolean;
  readonly minFlips: number;
  readonly autoPass: boolean;
  readonly emptiesToWinner: boolean;
  readonly grid: string;
  readonly deck: string;
  readonly reverse: boolean;
  readonly rules: readonly string[];
  readonly countOwnCards: boolean;
  readonly shuffle: boolean;
  readonly opponent: "robot" | "link" | "screen" | "robots";
  readonly colour: "first" | "second" | "random";
  readonly robot: StrategyDraft;
  /** The robot of the first side where two robots play. */
  readonly otherRobot: StrategyDraft;
  readonly clock: "none" | "fischer" | "move" | "days";
  readonly minutes: number;
  readonly increment: number;
  readonly moveSeconds: number;
  readonly days: number;
  readonly visibility: "VISIBILITY_PUBLIC" | "VISIBILITY_LINK";
}

/** The defaults of the server, as values. */
export function defaultDraft(board: GameDraft["board"]): GameDraft {
  return {
    board, rings: 5, side: 8, mirrored: false, forced: board === "square", minFlips: 1,
    autoPass: false, emptiesToWinner: false, grid: "", deck: "", reverse: false, rules: [],
    countOwnCards: false, shuffle: board === "cards", opponent: "robot", colour: "first",
    robot: draftOf({ level: "LEVEL_EASY" }), otherRobot: draftOf({ level: "LEVEL_MEDIUM" }),
    clock: "none", minutes: 5, increment: 3, moveSeconds: 30, days: 3,
    visibility: "VISIBILITY_PUBLIC",
  };
}

export function kindOf(board: GameDraft["board"]): GameKind {
  return board === "cards" ? "GAME_KIND_THREE_TRIOS" : "GAME_KIND_REVERSI";
}

/** Returns the settings of a game, for another one like it. */
export function draftLike(game: Game): GameDraft {
  const { reversi, threeTrios } = game.setup!;
  const board = threeTrios ? "cards" : reversi?.square ? "square" : "hexagon";
  const robots = game.seats.filter((seat) => seat.robot);
  const people = game.seats.filter((seat) => seat.player);
  const [first, second] = people.map((seat) => seat.player?.playerId);
  const { fischer, perMove, days } = game.timeControl ?? {};
  const draft = defaultDraft(board);
  return {
    ...draft,
    rings: reversi?.hexagon?.rings ?? draft.rings,
    side: reversi?.square?.side ?? draft.side,
    mirrored: reversi?.square?.start === "START_MIRRORED",
    forced: reversi?.passRule === "PASS_RULE_FORCED",
    minFlips: reversi?.minFlips ?? draft.minFlips,
    autoPass: reversi?.autoPass ?? false,
    emptiesToWinner: reversi?.emptiesToWinner ?? false,
    grid: threeTrios?.grid ?? "",
    deck: threeTrios?.deck ?? "",
    reverse: threeTrios?.rules.includes("RULE_REVERSE") ?? false,
    rules: threeTrios?.rules.filter((rule) => extraRules.some(({ name }) => name === rule)) ?? [],
    countOwnCards: threeTrios?.countOwnCards ?? false,
    shuffle: threeTrios?.shuffleSeed !== undefined,
    opponent: robots.length === 2 ? "robots" : robots.length === 1 ? "robot"
      : first === second ? "screen" : "link",
    colour: people[0]?.side === "SIDE_SECOND" ? "second" : "first",
    robot: draftOf(robots.at(-1)?.robot?.strategy),
    otherRobot: draftOf(robots[0]?.robot?.strategy),
    clock: fischer ? "fischer" : perMove ? "move" : days ? "days" : "none",
    minutes: fischer ? Number.parseFloat(fischer.initial ?? "300") / 60 : draft.minutes,
    increment: fischer ? Number.parseFloat(fischer.increment ?? "0") : draft.increment,
    moveSeconds: perMove ? Number.parseFloat(perMove) : draft.moveSeconds,
    days: days || draft.days,
    visibility: game.visibility === "VISIBILITY_LINK" ? "VISIBILITY_LINK" : "VISIBILITY_PUBLIC",
  };
}

/** Rules that can be added to the comparison of values. */
export const extraRules = [
  { name: "RULE_FALLEN_ACE", title: "Fallen ace" },
  { name: "RULE_SAME", title: "Same" },
  { name: "RULE_PLUS", title: "Plus" },
] as const;

/** The words for rules, in the form for a new game and on the page of a game. */
export const ruleWords = {
  passing: "Passing",
  voluntary: "Always allowed; two passes end the game",
  forced: "Only without a legal move",
  minFlips: "Discs that a move must flip",
  autoPass: "The server passes for a side without a legal move",
  emptiesToWinner: "The winner gets the empty cells",
  mirrored: "Mirrored start",
  comparison: "The winner of a comparison",
  greater: "The greater value",
  smaller: "The smaller value",
  countOwnCards: "Own cards count for Same and Plus",
} as const;

/** Names the rules of a game that are not the default. */
export function specialRules(game: Game): string[] {
  const draft = draftLike(game);
  const standard = defaultDraft(draft.board);
  const words = ruleWords;
  return [
    draft.forced !== standard.forced && `${words.passing}: ${draft.forced ? words.forced : words.voluntary}`,
    draft.minFlips > 1 && `${words.minFlips}: ${draft.minFlips}`,
    draft.autoPass && words.autoPass,
    draft.emptiesToWinner && words.emptiesToWinner,
    draft.mirrored && words.mirrored,
    draft.reverse && `${words.comparison}: ${words.smaller}`,
    ...extraRules.map(({ name, title }) => draft.rules.includes(name) && title),
    draft.countOwnCards && words.countOwnCards,
  ].filter((text) => text !== false);
}

export function newGame(draft: GameDraft, all: readonly StrategyInfo[]): NewGame {
  const clock = timeControl(draft);
  return {
    setup: setup(draft), seats: seats(draft, all), visibility: draft.visibility,
    ...(clock ? { timeControl: clock } : {}),
  };
}

function setup(draft: GameDraft): Input<Setup> {
  if (draft.board === "cards") {
    return {
      threeTrios: {
        rules: [draft.reverse ? "RULE_REVERSE" : "RULE_DEFAULT", ...draft.rules as []],
        countOwnCards: draft.countOwnCards,
        ...(draft.grid ? { grid: draft.grid } : {}),
        ...(draft.deck ? { deck: draft.deck } : {}),
        ...(draft.shuffle ? { shuffleSeed: String(1 + Math.floor(Math.random() * 1e9)) } : {}),
      },
    };
  }
  return {
    reversi: {
      ...(draft.board === "hexagon"
        ? { hexagon: { rings: draft.rings } }
        : { square: { side: draft.side, start: draft.mirrored ? "START_MIRRORED" : "START_STANDARD" } }),
      passRule: draft.forced ? "PASS_RULE_FORCED" : "PASS_RULE_VOLUNTARY",
      minFlips: draft.minFlips, autoPass: draft.autoPass, emptiesToWinner: draft.emptiesToWinner,
    },
  };
}

function seats(draft: GameDraft, all: readonly StrategyInfo[]): Input<SeatInput>[] {
  const caller = { caller: {} };
  const robot = { robot: { strategy: strategyOf(all, draft.robot) } };
  const second = draft.colour === "second" || (draft.colour === "random" && Math.random() < 0.5);
  switch (draft.opponent) {
    case "screen": return [caller, caller];
    case "robots": return [{ robot: { strategy: strategyOf(all, draft.otherRobot) } }, robot];
    case "link": return second ? [{ open: {} }, caller] : [caller, { open: {} }];
    case "robot": return second ? [robot, caller] : [caller, robot];
  }
}

function timeControl(draft: GameDraft): Input<TimeControl> | undefined {
  switch (draft.clock) {
    case "fischer":
      return { fischer: { initial: `${draft.minutes * 60}s`, increment: `${draft.increment}s` } };
    case "move": return { perMove: `${draft.moveSeconds}s` };
    case "days": return { days: draft.days };
    case "none": return undefined;
  }
}
