import { preferences, setPreference } from "./preferences";

/** Asks the browser for permission to notify and stores the answer. */
export async function allowNotifications(on: boolean): Promise<void> {
  const granted = on && "Notification" in globalThis &&
    await Notification.requestPermission() === "granted";
  setPreference("notifications", granted);
}

/** Notifies a user who does not look at the page that they are to move. */
export function alertTurn(text: string): void {
  const { notifications, sound } = preferences.state;
  if (sound) click();
  if (!notifications || document.visibilityState !== "hidden") return;
  try {
    new Notification("Flipside", { body: text });
  } catch {
    // Some phones notify only for installed pages.
  }
}

let audio: AudioContext | undefined;

/** Plays a short click. */
function click(): void {
  audio ??= new AudioContext();
  const [start, length] = [audio.currentTime, 0.09];
  const oscillator = new OscillatorNode(audio, { type: "triangle", frequency: 420 });
  const volume = new GainNode(audio, { gain: 0.18 });
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  oscillator.connect(volume).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}
