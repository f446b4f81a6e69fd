import type { Game, Player } from "@flipside-games/client";
import { useEffect, useState } from "preact/hooks";
import { defaultDraft, type GameDraft } from "../game/draft";
import { asSentence, seatName, setupName, sideName } from "../game/words";
import { asMe, client } from "../guest";
import { gameIdIn, gamePath, navigate } from "../router";
import { MiniBoard } from "./miniboard";
import { NewGameDialog } from "./newgame";
import { examples } from "./examples";

const boards = [
  { board: "hexagon", title: "Hexagons", text: "Reversi in six directions, with one to twelve rings." },
  { board: "square", title: "Squares", text: "Classic Reversi on eight by eight cells, or another size." },
  { board: "cards", title: "Three Trios", text: "Cards with four values that flip their neighbours." },
] as const;

/** The menu: new games, games of the user, open games, and games to watch. */
export function Home() {
  const [draft, setDraft] = useState<GameDraft>();
  return (
    <main class="home">
      <h1 class="visually-hidden">Flipside</h1>
      <section class="tiles" aria-label="New game">
        {boards.map(({ board, title, text }) => (
          <button type="button" class="tile" key={board} onClick={() => setDraft(defaultDraft(board))}>
            <MiniBoard position={examples[board]} />
            <span class="tile-text"><b>{title}</b><span>{text}</span></span>
            <span class="tile-action">New game</span>
          </button>
        ))}
      </section>
      <JoinForm />
      <GameLists />
      {draft && <NewGameDialog start={draft} onClose={() => setDraft(undefined)} />}
    </main>
  );
}

function JoinForm() {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  const submit = (event: Event): void => {
    event.preventDefault();
    const id = gameIdIn(text);
    setWrong(id === undefined);
    if (id !== undefined) navigate(gamePath(id));
  };
  return (
    <form class="join" onSubmit={submit}>
      <label for="join">Join or watch by link or id</label>
      <div class="row">
        <input id="join" value={text} placeholder="Link or game id" autoComplete="off"
          aria-invalid={wrong} onInput={(event: Event) => setText((event.target as HTMLInputElement).value)} />
        <button type="submit">Open</button>
      </div>
      {wrong && <p class="field-error" role="alert">This is no link of a game and no game id. An id has 26 letters and digits.</p>}
    </form>
  );
}

/** The first games of a list. */
interface Shown {
  games: Game[];
  more: boolean;
}

type ListName = "mine" | "open" | "running";
type Counts = Record<ListName, number>;
type Lists = Record<ListName, Shown> & { player: Player };

/** How many games a list shows at first, and how many "Show more" adds. */
const listStep = 12;

/** How often the lists of games are loaded, in milliseconds. */
const listInterval = 5000;

function GameLists() {
  const [lists, setLists] = useState<Lists>();
  const [problem, setProblem] = useState<string>();
  const [counts, setCounts] = useState<Counts>({ mine: listStep, open: listStep, running: listStep });
  useEffect(() => {
    let stopped = false;
    const load = async (): Promise<void> => {
      if (document.visibilityState === "hidden") return;
      try {
        const loaded = await asMe((player) => loadLists(player, counts));
        if (!stopped) setLists(loaded);
        setProblem(undefined);
      } catch (error) {
        setProblem(asSentence(error instanceof Error ? error.message : String(error)));
      }
    };
    void load();
    const timer = setInterval(() => void load(), listInterval);
    return () => {
      stopped = true;
      clearInterval(timer);
    };
  }, [counts]);
  if (problem) return <p class="warning" role="alert">{problem} Trying again…</p>;
  if (!lists) return <p class="loading">Loading games…</p>;
  const { player } = lists;
  const list = (name: ListName, title: string, none: string) => (
    <GameList title={title} list={lists[name]} player={player} none={none}
      onMore={() => setCounts({ ...counts, [name]: counts[name] + listStep })} />
  );
  return (
    <>
      {list("mine", "Your games", "You have no games yet. Start one above.")}
      {list("open", "Open games", "No game is waiting for an opponent.")}
      {list("running", "Watch", "No games are in progress.")}
    </>
  );
}

/** Unfinished games of the user come first: a list of all states would hide them behind newer games. */
async function loadLists(player: Player, counts: Counts): Promise<Lists> {
  const others = (game: Game): boolean => game.seats.every((seat) => seat.player?.playerId !== player.id);
  const [active, waiting, finished, open, running] = await Promise.all([
    firstGames(counts.mine, { state: "GAME_STATE_ACTIVE", playerId: "me" }),
    firstGames(counts.mine, { state: "GAME_STATE_WAITING", playerId: "me" }),
    firstGames(counts.mine, { state: "GAME_STATE_FINISHED", playerId: "me" }),
    firstGames(counts.open, { state: "GAME_STATE_WAITING" }, others),
    firstGames(counts.running, { state: "GAME_STATE_ACTIVE" }, others),
  ]);
  return {
    player, mine: cut([...active, ...waiting, ...finished], counts.mine),
    open: cut(open, counts.open), running: cut(running, counts.running),
  };
}

/** Returns the newest games that pass a filter, and one above the count if there are more. */
async function firstGames(
  count: number, query: { state: Game["state"]; playerId?: string }, passes = (_: Game): boolean => true,
): Promise<Game[]> {
  const games: Game[] = [];
  for (let pageToken = ""; ; ) {
    const page = await client.games({ ...query, pageSize: count + 1, pageToken });
    games.push(...page.games.filter(passes));
    pageToken = page.nextPageToken;
    if (games.length > count || !pageToken) return games;
  }
}

function cut(games: Game[], count: number): Shown {
  return { games: games.slice(0, count), more: games.length > count };
}

function GameList({ title, list: { games, more }, player, none, onMore }: {
  title: string; list: Shown; player: Player; none: string; onMore: () => void;
}) {
  return (
    <section class="game-list">
      <h2>{title}</h2>
      {games.length === 0 && <p class="none">{none}</p>}
      <ul>
        {games.map((game) => (
          <li key={game.id}>
            <a href={gamePath(game.id)}>
              <MiniBoard position={game.position!} />
              <span class="game-text">
                <b>{setupName(game.setup)}</b>
                <span>{game.seats.map((seat) =>
                  seat.player?.playerId === player.id ? "You" : seatName(seat)).join(" – ")}</span>
                <span class="game-state">{stateText(game, player)}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {more && <button type="button" aria-label={`Show more: ${title}`} onClick={onMore}>Show more</button>}
    </section>
  );
}

function stateText(game: Game, player: Player): string {
  const score = `${game.score?.first ?? 0} : ${game.score?.second ?? 0}`;
  if (game.state === "GAME_STATE_WAITING") {
    const invited = game.seats.some((seat) => seat.player?.invited && seat.player.playerId === player.id);
    return invited ? "You are invited" : "Waiting for an opponent";
  }
  if (game.state === "GAME_STATE_FINISHED") {
    const { outcome } = game;
    return `${outcome?.draw ? "Draw" : `${sideName(game.kind, outcome?.winner)} won`} · ${score}`;
  }
  const seat = game.seats.find(({ side }) => side === game.turn?.side);
  const who = seat?.player?.playerId === player.id ? "Your turn" : `${sideName(game.kind, seat?.side)} to move`;
  return `${who} · ${score}`;
}
