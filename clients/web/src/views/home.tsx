import type { Game, Player } from "@flipside-games/client";
import { useEffect, useState } from "preact/hooks";
import { defaultDraft, type GameDraft } from "../game/draft";
import { asSentence, seatName, setupName, sideName } from "../game/words";
import { asMe, client } from "../guest";
import { gameIdIn, gamePath, navigate } from "../router";
import { MiniBoard } from "./miniboard";
import { NewGameDialog } from "./newgame";
import { examples } from "./examples";

const games = [
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
        {games.map(({ board, title, text }) => (
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

interface Lists {
  player: Player;
  mine: Game[];
  open: Game[];
  running: Game[];
}

/** How often the lists of games are loaded, in milliseconds. */
const listInterval = 5000;

function GameLists() {
  const [lists, setLists] = useState<Lists>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let stopped = false;
    const load = async (): Promise<void> => {
      if (document.visibilityState === "hidden") return;
      try {
        const loaded = await asMe(loadLists);
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
  }, []);
  if (problem) return <p class="warning" role="alert">{problem} Trying again…</p>;
  if (!lists) return <p class="loading">Loading games…</p>;
  const { player } = lists;
  return (
    <>
      <GameList title="Your games" games={lists.mine} player={player}
        none="You have no games yet. Start one above." />
      <GameList title="Open games" games={lists.open} player={player}
        none="No game is waiting for an opponent." />
      <GameList title="Watch" games={lists.running} player={player}
        none="No games are in progress." />
    </>
  );
}

async function loadLists(player: Player): Promise<Lists> {
  const page = { pageSize: 12 };
  const [mine, waiting, active] = await Promise.all([
    client.games({ ...page, playerId: "me" }),
    client.games({ ...page, state: "GAME_STATE_WAITING" }),
    client.games({ ...page, state: "GAME_STATE_ACTIVE" }),
  ]);
  const others = (game: Game): boolean => game.seats.every((seat) => seat.player?.playerId !== player.id);
  const order: Partial<Record<Game["state"], number>> = {
    GAME_STATE_ACTIVE: 0, GAME_STATE_WAITING: 1, GAME_STATE_FINISHED: 2,
  };
  return {
    player,
    mine: mine.games.filter((game) => game.state in order)
      .sort((a, b) => order[a.state]! - order[b.state]!),
    open: waiting.games.filter(others),
    running: active.games.filter(others),
  };
}

function GameList({ title, games: list, player, none }: {
  title: string; games: Game[]; player: Player; none: string;
}) {
  return (
    <section class="game-list">
      <h2>{title}</h2>
      {list.length === 0 && <p class="none">{none}</p>}
      <ul>
        {list.map((game) => (
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
