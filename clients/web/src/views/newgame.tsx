import { FlipsideError } from "@flipside-games/client";
import { useState } from "preact/hooks";
import { extraRules, type GameDraft, kindOf, newGame, ruleWords } from "../game/draft";
import { strategies } from "../game/strategies";
import { asSentence } from "../game/words";
import { asMe, client } from "../guest";
import { gamePath, navigate } from "../router";
import { Dialog } from "./dialog";
import { isValid, StrategyFields, useStrategies } from "./strategyform";

type Change = (change: Partial<GameDraft>) => void;

const titles = { hexagon: "Reversi on hexagons", square: "Reversi on squares", cards: "Three Trios" };

/** The configuration of a new game. */
export function NewGameDialog({ start, onClose }: { start: GameDraft; onClose: () => void }) {
  const [draft, setDraft] = useState(start);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const all = useStrategies();
  const change: Change = (fields) => setDraft({ ...draft, ...fields });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      const request = newGame(draft, await strategies());
      const game = await asMe(() => client.createGame(request));
      onClose();
      navigate(gamePath(game.id));
    } catch (error) {
      if (!(error instanceof FlipsideError)) throw error;
      setProblem(asSentence(error.message));
      setBusy(false);
    }
  };
  const valid = isValid(all, draft.robot) && isValid(all, draft.otherRobot);
  return (
    <Dialog title={`New game: ${titles[draft.board]}`} onClose={onClose}>
      <form class="new-game" onSubmit={(event: Event) => void submit(event)} onInvalidCapture={showField}>
        <BoardFields draft={draft} change={change} />
        <OpponentFields draft={draft} change={change} all={all} />
        <ClockFields draft={draft} change={change} />
        <details>
          <summary>Rules</summary>
          {draft.board === "cards"
            ? <CardRules draft={draft} change={change} />
            : <ReversiRules draft={draft} change={change} />}
        </details>
        {problem && <p class="field-error" role="alert">{problem}</p>}
        <div class="buttons">
          <button type="button" onClick={onClose}>Cancel</button>
          <button type="submit" class="primary" disabled={busy || !valid}>
            {draft.opponent === "link" ? "Create and invite" : draft.opponent === "robots" ? "Watch" : "Play"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Opens the rules around an invalid field, where the browser could not show its message. */
function showField(event: Event): void {
  (event.target as Element).closest("details")?.setAttribute("open", "");
}

interface FieldProps {
  draft: GameDraft;
  change: Change;
}

function BoardFields({ draft, change }: FieldProps) {
  switch (draft.board) {
    case "hexagon":
      return <NumberField label="Rings" value={draft.rings} min={1} max={12}
        onChange={(rings) => change({ rings })} />;
    case "square":
      return <NumberField label="Cells per side" value={draft.side} min={4} max={16} step={2}
        onChange={(side) => change({ side })} />;
    case "cards":
      return (
        <fieldset>
          <legend>Grid and deck</legend>
          <FileField label="Grid file" standard="Built-in grid, 3×3" text={draft.grid}
            onText={(grid) => change({ grid })} />
          <FileField label="Deck file" standard="Built-in deck" text={draft.deck}
            onText={(deck) => change({ deck })} />
        </fieldset>
      );
  }
}

function OpponentFields({ draft, change, all }: FieldProps & { all: ReturnType<typeof useStrategies> }) {
  const kind = kindOf(draft.board);
  const [first, second] = draft.board === "cards" ? ["Red", "Blue"] : ["Black", "White"];
  const robots = draft.opponent === "robots";
  return (
    <fieldset>
      <legend>Players</legend>
      <Choice label="Opponent" value={draft.opponent} onChange={(opponent) => change({ opponent })}
        options={[
          ["robot", "Robot"], ["link", "Someone with the link"], ["screen", "Two people at this screen"],
          ["robots", "Robot against robot"],
        ]} />
      {robots &&
        <StrategyFields label={`Robot that plays ${first}`} kind={kind} draft={draft.otherRobot} all={all}
          problems={{}} onChange={(otherRobot) => change({ otherRobot })} />}
      {(robots || draft.opponent === "robot") &&
        <StrategyFields label={robots ? `Robot that plays ${second}` : "Strength"} kind={kind}
          draft={draft.robot} all={all} problems={{}} onChange={(robot) => change({ robot })} />}
      {(draft.opponent === "robot" || draft.opponent === "link") &&
        <Choice label="You play" value={draft.colour} onChange={(colour) => change({ colour })}
          options={[["first", `${first} (moves first)`], ["second", second!], ["random", "Either"]]} />}
      {draft.opponent === "link" &&
        <Choice label="Listed" value={draft.visibility} onChange={(visibility) => change({ visibility })}
          options={[["VISIBILITY_PUBLIC", "Public: anyone can join"], ["VISIBILITY_LINK", "Only with the link"]]} />}
    </fieldset>
  );
}

function ClockFields({ draft, change }: FieldProps) {
  return (
    <fieldset>
      <legend>Clock</legend>
      <Choice label="Time" value={draft.clock} onChange={(clock) => change({ clock })}
        options={[
          ["none", "No clock"], ["fischer", "Per game"], ["move", "Per move"], ["days", "Days per move"],
        ]} />
      {draft.clock === "fischer" && (
        <div class="row">
          <NumberField label="Minutes" value={draft.minutes} min={0.25} max={1440} step={0.25}
            onChange={(minutes) => change({ minutes })} />
          <NumberField label="Increment (seconds)" value={draft.increment} min={0} max={3600}
            onChange={(increment) => change({ increment })} />
        </div>
      )}
      {draft.clock === "move" && <NumberField label="Seconds per move" value={draft.moveSeconds}
        min={1} max={43200} onChange={(moveSeconds) => change({ moveSeconds })} />}
      {draft.clock === "days" && <NumberField label="Days per move" value={draft.days} min={1} max={30}
        onChange={(days) => change({ days })} />}
    </fieldset>
  );
}

function ReversiRules({ draft, change }: FieldProps) {
  return (
    <div class="fields">
      <Choice label={ruleWords.passing} value={draft.forced ? "forced" : "voluntary"}
        onChange={(rule) => change({ forced: rule === "forced" })}
        options={[
          ["voluntary", ruleWords.voluntary], ["forced", ruleWords.forced],
        ]} />
      <NumberField label={ruleWords.minFlips} value={draft.minFlips} min={1} max={64}
        onChange={(minFlips) => change({ minFlips })} />
      <Check label={ruleWords.autoPass} value={draft.autoPass}
        onChange={(autoPass) => change({ autoPass })} />
      <Check label={ruleWords.emptiesToWinner} value={draft.emptiesToWinner}
        onChange={(emptiesToWinner) => change({ emptiesToWinner })} />
      {draft.board === "square" &&
        <Check label={ruleWords.mirrored} value={draft.mirrored} onChange={(mirrored) => change({ mirrored })} />}
    </div>
  );
}

function CardRules({ draft, change }: FieldProps) {
  const toggle = (name: string, on: boolean): void => change({
    rules: on ? [...draft.rules, name] : draft.rules.filter((rule) => rule !== name),
  });
  return (
    <div class="fields">
      <Choice label={ruleWords.comparison} value={draft.reverse ? "reverse" : "default"}
        onChange={(rule) => change({ reverse: rule === "reverse" })}
        options={[["default", ruleWords.greater], ["reverse", ruleWords.smaller]]} />
      {extraRules.map(({ name, title }) => (
        <Check key={name} label={title} value={draft.rules.includes(name)}
          onChange={(on) => toggle(name, on)} />
      ))}
      <Check label={ruleWords.countOwnCards} value={draft.countOwnCards}
        onChange={(countOwnCards) => change({ countOwnCards })} />
      <Check label="Shuffle the deck" value={draft.shuffle} onChange={(shuffle) => change({ shuffle })} />
    </div>
  );
}

function Choice<Value extends string>({ label, value, options, onChange }: {
  label: string; value: Value; options: [Value, string][]; onChange: (value: Value) => void;
}) {
  return (
    <label>{label}
      <select value={value}
        onChange={(event: Event) => onChange((event.target as HTMLSelectElement).value as Value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>{text}</option>
        ))}
      </select>
    </label>
  );
}

function NumberField({ label, value, min, max, step = 1, onChange }: {
  label: string; value: number; min: number; max: number; step?: number; onChange: (value: number) => void;
}) {
  return (
    <label>{label}
      <input type="number" required value={value} min={min} max={max} step={step}
        onInput={(event: Event) => onChange((event.target as HTMLInputElement).valueAsNumber)} />
    </label>
  );
}

function Check({ label, value, onChange }: {
  label: string; value: boolean; onChange: (value: boolean) => void;
}) {
  return (
    <label class="check">
      <input type="checkbox" checked={value}
        onChange={(event: Event) => onChange((event.target as HTMLInputElement).checked)} />
      {label}
    </label>
  );
}

/** A text file, chosen or dropped. */
function FileField({ label, standard, text, onText }: {
  label: string; standard: string; text: string; onText: (text: string) => void;
}) {
  const [name, setName] = useState("");
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setName(file.name);
    onText(await file.text());
  };
  return (
    <div class="file" onDragOver={(event: DragEvent) => event.preventDefault()}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        void take(event.dataTransfer?.files[0]);
      }}>
      <label>{label}
        <input type="file" accept=".txt,.config,.database,text/plain"
          onChange={(event: Event) => void take((event.target as HTMLInputElement).files?.[0])} />
      </label>
      <span>{text ? name || "As in the last game" : standard}</span>
      {text && <button type="button" onClick={() => { setName(""); onText(""); }}>Use the built-in one</button>}
    </div>
  );
}
