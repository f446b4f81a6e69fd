import type { Position } from "@flipside-games/client";

/** Positions that illustrate the menu. */
export const examples: Record<"hexagon" | "square" | "cards", Position> = {
  hexagon: {
    notation: "",
    reversi: {
      rows: ["____", "__XO_", "_XOOX_", "_XO_XX_", "_OXXO_", "_XOO_", "____"],
      corners: [{ hex: { q: 0, r: -3, s: 3 } }],
    },
  },
  square: {
    notation: "",
    reversi: {
      rows: ["______", "__XO__", "_XOXO_", "_OXOX_", "__OXX_", "______"],
      corners: [{ square: { row: 0, column: 0 } }],
    },
  },
  cards: {
    notation: "",
    threeTrios: {
      rows: 3, columns: 3, hands: { first: [], second: [] },
      cells: [..."R_BRB_X_R"].map((letter) => letter === "_" ? { empty: true, owner: "SIDE_UNSPECIFIED" }
        : letter === "X" ? { hole: true, owner: "SIDE_UNSPECIFIED" }
        : {
          card: { name: letter, north: 1, south: 1, east: 1, west: 1 },
          owner: letter === "R" ? "SIDE_FIRST" : "SIDE_SECOND",
        }),
    },
  },
};
