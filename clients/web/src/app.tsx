import { useEffect, useState } from "preact/hooks";
import { navigate, router } from "./router";
import { useStore } from "./store";
import { GamePage } from "./views/game";
import { Home } from "./views/home";
import { Settings } from "./views/settings";

/** The whole page: a bar, and the page that the address names. */
export function App() {
  const { route } = useStore(router);
  const [settings, setSettings] = useState(false);
  useLinks();
  return (
    <>
      <header class="bar">
        <a class="brand" href="/">
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <rect width="16" height="16" rx="3" /><circle cx="8" cy="8" r="5" /><path d="M8 3a5 5 0 0 0 0 10z" />
          </svg>
          Flipside
        </a>
        <nav aria-label="Site">
          {route.page === "game" && <a href="/">Menu</a>}
          <button type="button" onClick={() => setSettings(true)}>Settings</button>
          <a href="/docs">API</a>
        </nav>
      </header>
      {route.page === "game" ? <GamePage key={route.id} id={route.id} /> : <Home />}
      {settings && <Settings onClose={() => setSettings(false)} />}
    </>
  );
}

/** Opens links within the board without loading the document again. */
function useLinks(): void {
  useEffect(() => {
    const onClick = (event: MouseEvent): void => {
      const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
      const path = link?.getAttribute("href");
      const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
      if (!plain || !path || !(path === "/" || path.startsWith("/g/"))) return;
      event.preventDefault();
      navigate(path);
    };
    document.addEventListener("click", onClick);
    return () => document.removeEventListener("click", onClick);
  }, []);
}
