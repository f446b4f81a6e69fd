import type { GameKind, StrategyInfo } from "@flipside-games/client";
import { useEffect, useState } from "preact/hooks";
import {
  choices, fieldError, isDuration, isSlider, parameterName, parameters, strategies, strengthOf,
  strengthWords, type StrategyDraft,
} from "../game/strategies";

/** Returns the strategies of the server, none until they are loaded. */
export function useStrategies(): readonly StrategyInfo[] {
  const [all, setAll] = useState<readonly StrategyInfo[]>([]);
  useEffect(() => {
    strategies().then(setAll, () => undefined);
  }, []);
  return all;
}

/** Fields for a strategy and its parameters. */
export function StrategyFields({ label, kind, draft, all, problems, onChange }: {
  label: string; kind: GameKind; draft: StrategyDraft; all: readonly StrategyInfo[];
  /** Errors of the server, by the name of the parameter. */
  problems: Readonly<Record<string, string>>;
  onChange: (draft: StrategyDraft) => void;
}) {
  const summary = all.find(({ name }) => name === draft.choice)?.summary;
  return (
    <div class="fields">
      <label>{label}
        <select value={draft.choice}
          onChange={(event: Event) => onChange({
            choice: (event.target as HTMLSelectElement).value, fields: draft.fields,
          })}>
          {choices(all, kind).map(({ choice, name }) => (
            <option key={choice} value={choice} selected={choice === draft.choice}>{name}</option>
          ))}
        </select>
      </label>
      {summary && <p class="hint-text">{summary}</p>}
      {parameters(all, draft.choice).map((parameter) => {
        const { name } = parameter;
        if (isSlider(parameter)) {
          return <SkillSlider key={name} parameter={parameter} text={draft.fields[name]}
            onText={(text) => onChange({ choice: draft.choice, fields: { ...draft.fields, [name]: text } })} />;
        }
        const error = fieldError(parameter, draft.fields[name]) ?? problems[name];
        return (
          <label key={name}>{parameterName(parameter)}
            <input inputMode={isDuration(parameter) ? "decimal" : "numeric"} name={name}
              value={draft.fields[name] ?? ""} placeholder={parameter.default}
              aria-invalid={error !== undefined} aria-describedby={error ? `${name}-error` : undefined}
              onInput={(event: Event) => onChange({
                choice: draft.choice,
                fields: { ...draft.fields, [name]: (event.target as HTMLInputElement).value },
              })} />
            {error && <span class="field-error" id={`${name}-error`}>{error}</span>}
          </label>
        );
      })}
    </div>
  );
}

/** A slider for a strength, with its meaning in words. */
function SkillSlider({ parameter, text, onText }: {
  parameter: StrategyInfo["parameters"][number]; text: string | undefined; onText: (text: string) => void;
}) {
  const strength = strengthOf(text);
  const words = strengthWords(strength, Number(parameter.maximum));
  return (
    <label>{`${parameterName(parameter)} ${strength}: ${words}`}
      <input type="range" name={parameter.name} min={parameter.minimum} max={parameter.maximum}
        value={strength} aria-valuetext={`${strength}, ${words}`}
        onInput={(event: Event) => onText((event.target as HTMLInputElement).value)} />
    </label>
  );
}

/** Reports whether all fields of a draft are valid. */
export function isValid(all: readonly StrategyInfo[], draft: StrategyDraft): boolean {
  return parameters(all, draft.choice).every((p) => fieldError(p, draft.fields[p.name]) === undefined);
}
