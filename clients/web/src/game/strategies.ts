import type { GameKind, Input, Strategy, StrategyInfo } from "@flipside-games/client";
import { client } from "../guest";
import { sentence } from "./words";

type Parameter = StrategyInfo["parameters"][number];

/** A strategy while a person edits it. Fields hold what the person typed. */
export interface StrategyDraft {
  /** `engine`, `skill`, or `level:LEVEL_EASY`. */
  readonly choice: string;
  readonly fields: Readonly<Record<string, string>>;
}

let loaded: Promise<StrategyInfo[]> | undefined;

/** Returns the strategies of the server. */
export function strategies(): Promise<StrategyInfo[]> {
  loaded ??= client.strategies().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

/** The choices of a game, with names for people. Strategies that contain others are left out. */
export function choices(all: readonly StrategyInfo[], kind: GameKind): { choice: string; name: string }[] {
  return all.filter((info) => info.games.includes(kind)).flatMap((info) => {
    if (info.name === "level") {
      const levels = info.parameters.find((parameter) => parameter.name === "level")?.values ?? [];
      return levels.map((level) => ({
        choice: `level:${level}`, name: sentence(level.replace("LEVEL_", "").toLowerCase()),
      }));
    }
    const name = info.name === "skill" ? "Like a person, 1 to 20" : sentence(info.name);
    return info.parameters.every(isField) ? [{ choice: info.name, name }] : [];
  });
}

/** The parameters that a form shows for a choice. */
export function parameters(all: readonly StrategyInfo[], choice: string): Parameter[] {
  const info = choice.startsWith("level:") ? undefined : all.find(({ name }) => name === choice);
  return info?.parameters.filter((parameter) => parameter.minimum !== "") ?? [];
}

/** Reports whether a form can edit a parameter: it has a range, or only one of some values. */
function isField(parameter: Parameter): boolean {
  return parameter.minimum !== "" || parameter.values.length > 0;
}

export function isDuration(parameter: Parameter): boolean {
  return parameter.minimum.endsWith("s");
}

/** Reports whether a form shows a parameter as a slider: a strength with both ends. */
export function isSlider(parameter: Parameter): boolean {
  return parameter.name === "skill";
}

/** The strength in a field, and 5 before a person has set one. */
export function strengthOf(text: string | undefined): number {
  return Number(text || 5);
}

/** Describes a strength in words. */
export function strengthWords(strength: number, highest: number): string {
  const words = ["beginner", "casual player", "club player", "strong player", "master"];
  return words[Math.min(words.length - 1, Math.floor((strength - 1) / highest * words.length))]!;
}

/** The label of a parameter with its unit. */
export function parameterName(parameter: Parameter): string {
  switch (parameter.name) {
    case "maxDepth": return "Depth (plies)";
    case "maxTime": return "Time (seconds)";
    case "maxNodes": return "Nodes";
    default: return sentence(parameter.name);
  }
}

/** Returns why a field is invalid, or undefined. An empty field means the default. */
export function fieldError(parameter: Parameter, text: string | undefined): string | undefined {
  if (!text?.trim()) return undefined;
  const value = Number(text);
  const low = Number.parseFloat(parameter.minimum);
  const high = parameter.maximum === "" ? Number.POSITIVE_INFINITY : Number.parseFloat(parameter.maximum);
  const whole = isDuration(parameter) || Number.isInteger(value);
  if (!Number.isNaN(value) && whole && value >= low && value <= high) return undefined;
  const kind = isDuration(parameter) ? "a number" : "a whole number";
  return Number.isFinite(high) ? `Enter ${kind} from ${low} to ${high}.` : `Enter ${kind} of at least ${low}.`;
}

export function draftOf(strategy: Input<Strategy> | undefined): StrategyDraft {
  const [name, value] = Object.entries(strategy ?? {})[0] ?? ["level", "LEVEL_EASY"];
  if (name === "level") return { choice: `level:${String(value)}`, fields: {} };
  if (typeof value !== "object") return { choice: name, fields: { [name]: String(value) } };
  const fields = Object.entries(value as Record<string, unknown>)
    .filter(([, field]) => field !== 0 && field !== "0" && field !== "0s")
    .map(([field, content]) => [field, String(content).replace(/^([\d.]+)s$/, "$1")]);
  return { choice: name, fields: Object.fromEntries(fields) as Record<string, string> };
}

export function strategyOf(all: readonly StrategyInfo[], draft: StrategyDraft): Input<Strategy> {
  const { choice, fields } = draft;
  if (choice.startsWith("level:")) {
    return { level: choice.slice("level:".length) as NonNullable<Strategy["level"]> };
  }
  const shown = parameters(all, choice);
  if (shown.length === 1 && shown[0]!.name === choice) {
    return { [choice]: strengthOf(fields[choice]) };
  }
  const given = shown.filter(({ name }) => fields[name]?.trim()).map((parameter) => [
    parameter.name,
    isDuration(parameter) ? `${Number(fields[parameter.name])}s` : Number(fields[parameter.name]),
  ]);
  return { [choice]: Object.fromEntries(given) as object };
}
