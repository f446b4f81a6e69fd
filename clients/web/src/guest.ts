import { Flipside, FlipsideError, type Player } from "@flipside-games/client";
import { load, save } from "./storage";

/** The client of the server that sent this page. */
export const client = new Flipside(withKey(load("key")));

let player: Promise<Player> | undefined;

/**
 * Returns the player of this browser. The first call creates a player and stores their key, so that
 * a guest plays without signing up.
 */
export function me(): Promise<Player> {
  player ??= signIn().catch((error: unknown) => {
    player = undefined;
    throw error;
  });
  return player;
}

async function signIn(): Promise<Player> {
  if (client.key !== undefined) {
    try {
      return await client.me();
    } catch (error) {
      if (!(error instanceof FlipsideError) || error.reason !== "INVALID_KEY") throw error;
      client.key = undefined; // The server has another database now.
    }
  }
  // Two tabs that open at the same time must become the same player.
  return await locked(async () => {
    const other = load("key");
    if (other !== undefined && client.key === undefined) {
      try {
        client.key = other;
        return await client.me();
      } catch (error) {
        if (!(error instanceof FlipsideError) || error.reason !== "INVALID_KEY") throw error;
        client.key = undefined;
      }
    }
    const made = await client.createPlayer();
    save("key", made.key);
    return made.player;
  });
}

function locked<T>(run: () => Promise<T>): Promise<T> {
  // Pages over plain HTTP have no locks.
  return navigator.locks ? navigator.locks.request("flipside.key", run) as Promise<T> : run();
}

function withKey(key: string | undefined): { key?: string } {
  return key === undefined ? {} : { key };
}
