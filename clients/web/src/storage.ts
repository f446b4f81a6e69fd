/**
 * Stores small values in the browser. A browser that forbids storage keeps them until the page is
 * closed.
 */
const memory = new Map<string, string>();

export function load(name: string): string | undefined {
  try {
    return localStorage.getItem(`flipside.${name}`) ?? memory.get(name);
  } catch {
    return memory.get(name);
  }
}

export function save(name: string, value: string): void {
  memory.set(name, value);
  try {
    localStorage.setItem(`flipside.${name}`, value);
  } catch {
    // The value stays in memory.
  }
}
