import { Store } from "./store";

/** The page that an address names. */
export type Route = { page: "home" } | { page: "game"; id: string };

export const router = new Store<{ route: Route }>({ route: parse(location.pathname) });

addEventListener("popstate", () => router.set({ route: parse(location.pathname) }));

/** Opens a page of the board without loading the document again. */
export function navigate(path: string): void {
  if (path !== location.pathname) history.pushState(undefined, "", path);
  router.set({ route: parse(path) });
  scrollTo(0, 0);
}

export function gamePath(id: string): string {
  return `/g/${id}`;
}

/** Returns the game id in a link or an id that a person typed. */
export function gameIdIn(text: string): string | undefined {
  return /(?:^|\/)([0-9a-z]{26})\/?(?:[?#].*)?$/.exec(text.trim().toLowerCase())?.[1];
}

function parse(path: string): Route {
  const id = /^\/g\/([^/]+)\/?$/.exec(path)?.[1];
  return id === undefined ? { page: "home" } : { page: "game", id: decodeURIComponent(id) };
}
