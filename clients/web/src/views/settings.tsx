import { allowNotifications } from "../alerts";
import { preferences, type Preferences, setPreference } from "../preferences";
import { useStore } from "../store";
import { Dialog } from "./dialog";

/** The settings of this browser. */
export function Settings({ onClose }: { onClose: () => void }) {
  const { theme, place, labels, animation, sound, notifications } = useStore(preferences);
  const select = <Name extends "theme" | "place">(
    name: Name, label: string, value: Preferences[Name], options: [Preferences[Name], string][],
  ) => (
    <label>{label}
      <select value={value} onChange={(event: Event) =>
        setPreference(name, (event.target as HTMLSelectElement).value as Preferences[Name])}>
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>{text}</option>
        ))}
      </select>
    </label>
  );
  const check = (name: "labels" | "animation" | "sound", label: string, value: boolean) => (
    <label class="check">
      <input type="checkbox" checked={value} onChange={(event: Event) =>
        setPreference(name, (event.target as HTMLInputElement).checked)} />
      {label}
    </label>
  );
  return (
    <Dialog title="Settings" onClose={onClose}>
      <div class="fields">
        {select("theme", "Colours", theme, [["auto", "As the system"], ["light", "Light"], ["dark", "Dark"]])}
        {select("place", "Place a disc with", place, [
          ["select", "Double click, Enter or the Place button"], ["click", "One click"],
        ])}
        {check("labels", "Names of rows and columns", labels)}
        {check("animation", "Animate flips", animation)}
        {check("sound", "Sound when it is your turn", sound)}
        <label class="check">
          <input type="checkbox" checked={notifications} onChange={(event: Event) =>
            void allowNotifications((event.target as HTMLInputElement).checked)} />
          Notification when it is your turn and the page is hidden
        </label>
      </div>
    </Dialog>
  );
}
