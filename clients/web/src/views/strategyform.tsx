import type { GameKind, StrategyInfo } from "@flipside-games/client";
import { useEffect, useState } from "preact/hooks";
import {
  choices, fieldError, isDuration, parameterName, parameters, strategies, type StrategyDraft,
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

/** Reports whether all fields of a draft are valid. */
export function isValid(all: readonly StrategyInfo[], draft: StrategyDraft): boolean {
  return parameters(all, draft.choice).every((p) => fieldError(p, draft.fields[p.name]) === undefined);
}
