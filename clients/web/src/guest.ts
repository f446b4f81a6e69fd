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

/**
 * Runs calls of the player of this browser. If the server rejects the key, it runs them once more
 * with another key.
 */
export async function asMe<T>(run: (player: Player) => Promise<T>): Promise<T> {
  const player = await me();
  const { key } = client;
  try {
    return await run(player);
  } catch (error) {
    if (!await renewed(key, error)) throw error;
    return await run(await me());
  }
}

/** Replaces the key of a failed call if the server rejected it. Reports whether it did. */
export async function renewed(key: string | undefined, error: unknown): Promise<boolean> {
  if (!isRejectedKey(error)) return false;
  if (client.key === key) player = undefined; // It belongs to the rejected key.
  return await me().then(() => client.key !== key, () => false);
}

/** Reports whether a key is unknown, or was revoked while a stream was open. */
function isRejectedKey(error: unknown): boolean {
  return error instanceof FlipsideError && ["INVALID_KEY", "KEY_REVOKED"].includes(error.reason);
}

async function signIn(): Promise<Player> {
  if (client.key !== undefined) {
    try {
      return await client.me();
    } catch (error) {
      if (!isRejectedKey(error)) throw error;
      client.key = undefined; // It was revoked, or the server has another database now.
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
        if (!isRejectedKey(error)) throw error;
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
