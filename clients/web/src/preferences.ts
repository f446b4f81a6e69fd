import { load, save } from "./storage";
import { Store } from "./store";

/** Settings of the page, stored in this browser. */
export interface Preferences {
  theme: "auto" | "light" | "dark";
  /** How a click places: after a selection, or at once. */
  place: "select" | "click";
  labels: boolean;
  animation: boolean;
  /** Whether a sound and a notification announce that the user is to move. */
  sound: boolean;
  notifications: boolean;
}

const defaults: Preferences = {
  theme: "auto", place: "select", labels: true, animation: true, sound: false, notifications: false,
};

export const preferences = new Store<Preferences>({ ...defaults, ...stored() });

export function setPreference<Name extends keyof Preferences>(
  name: Name, value: Preferences[Name],
): void {
  preferences.set({ [name]: value });
  save("preferences", JSON.stringify(preferences.state));
}

function stored(): Partial<Preferences> {
  try {
    return JSON.parse(load("preferences") ?? "{}") as Partial<Preferences>;
  } catch {
    return {};
  }
}

/** Copies the preferences that style sheets read to the document. */
export function applyPreferences(): void {
  const apply = (): void => {
    const { theme, animation } = preferences.state;
    document.documentElement.dataset.theme = theme;
    document.documentElement.dataset.animation = animation ? "on" : "off";
  };
  apply();
  preferences.subscribe(apply);
}
