import type { Input, OfferKind, SeatInput, Side } from "@flipside-games/client";
import type { GameSession } from "../game/session";
import { client } from "../guest";
import { gamePath, navigate } from "../router";
import type { Panel } from "./actions";

export async function takeBack(session: GameSession): Promise<void> {
  const { mine, plies } = session.state;
  // At one screen the last move goes back, whose side is not the side to move.
  const last = mine.length === 2 ? plies.findLast((ply) => !ply.automatic)?.side : undefined;
  await offer(session, "OFFER_KIND_TAKEBACK", last);
}

/** Offers a draw, with a question for two people at one screen: there the offer ends the game. */
export function askForDraw(session: GameSession, onPanel: (panel: Panel) => void): void {
  if (session.state.mine.length < 2) void offerDraw(session);
  else if (session.mayEnd()) onPanel("draw");
}

export async function offerDraw(session: GameSession): Promise<void> {
  await offer(session, "OFFER_KIND_DRAW");
}

/** Asks for a new game with the sides swapped and opens it as soon as it exists. */
export async function rematch(session: GameSession): Promise<void> {
  const { game } = session.state;
  if (game?.state !== "GAME_STATE_FINISHED") {
    session.say("A rematch is possible after the game.");
    return;
  }
  await offer(session, "OFFER_KIND_REMATCH");
}

async function offer(session: GameSession, kind: OfferKind, side = actingSide(session)): Promise<void> {
  if (!side) {
    session.say("You are watching this game.");
    return;
  }
  await session.act(() => client.offer(session.id, { kind, side }));
}

/** Refuses an offer of the opponent. */
export async function decline(session: GameSession, kind: OfferKind): Promise<void> {
  const side = actingSide(session);
  if (side) await session.act(() => client.declineOffer(session.id, { kind, side }));
}

/** The side that the user speaks for: at one screen, the side to move. */
export function actingSide(session: GameSession): Side | undefined {
  const { game, mine } = session.state;
  const turn = game?.turn?.side;
  return turn && mine.includes(turn) ? turn : mine[0];
}

export async function resign(session: GameSession): Promise<void> {
  const side = actingSide(session);
  if (side) await session.act(() => client.resign(session.id, { side }));
}

export async function join(session: GameSession, side: Side): Promise<void> {
  await session.act(() => client.join(session.id, { side }));
}

/** Declines an invitation, or calls off a game that waits for an opponent. */
export async function abort(session: GameSession): Promise<void> {
  await session.act(() => client.abort(session.id));
}

/** Claims the game from an opponent who is away. */
export async function claim(session: GameSession): Promise<void> {
  await session.act(() => client.claim(session.id));
}

/**
 * Creates a game from the position on the board and opens it. Robots keep their seats; the user
 * plays all others.
 */
export async function fork(session: GameSession): Promise<void> {
  const { game, viewed, plies } = session.state;
  if (!game) return;
  const index = viewed ?? plies.length;
  const first = plies[0];
  const version = plies[index - 1]?.version ?? (first && first.version - 1);
  const seats = game.seats.map((seat): Input<SeatInput> => (seat.robot ? { robot: seat.robot } : { caller: {} }));
  const made = await session.act(() => client.fork(session.id, {
    seats, ...(version === undefined ? {} : { version }),
  }));
  if (made) navigate(gamePath(made.id));
}

/** Copies the link of the game, to invite or to share. */
export async function copyLink(session: GameSession): Promise<void> {
  const link = location.origin + gamePath(session.id);
  try {
    await navigator.clipboard.writeText(link);
    session.say("The link is copied.");
  } catch {
    session.say(`Copy this link: ${link}`);
  }
}

/** Reports whether the user may look at an analysis: never against a person in a running game. */
export function mayAnalyse(session: GameSession): boolean {
  const { game, mine, first } = session.state;
  if (!game || !first) return false; // It has not started.
  if (game.state !== "GAME_STATE_ACTIVE") return true;
  return game.seats.every((seat) => seat.robot !== undefined || mine.includes(seat.side));
}
