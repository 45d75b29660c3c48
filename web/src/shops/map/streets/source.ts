// The operator's file of streets, read in parts over HTTP.
import { FetchSource, PMTiles } from "pmtiles";
import { decodeTile, type StreetTile } from "./decode";
import type { TileId, ZoomRange } from "./tiles";

const ADDRESS = "/tiles/map.pmtiles";

export interface StreetSource {
  zooms: () => Promise<ZoomRange>;
  /** Undefined where the file has no tile. */
  read: (tile: TileId, signal: AbortSignal) => Promise<StreetTile | undefined>;
}

export function openStreets(): StreetSource {
  let archive: PMTiles | undefined;

  /** The reader remembers what failed: after a failure there is a new one. */
  async function attempt<T>(work: (archive: PMTiles) => Promise<T>): Promise<T> {
    const used = (archive ??= new PMTiles(new FetchSource(new URL(ADDRESS, location.href).href)));
    try {
      return await work(used);
    } catch (error) {
      if (archive === used && !isAbort(error)) archive = undefined;
      throw error;
    }
  }

  return {
    zooms: () => attempt((used) => used.getHeader()),
    read: (tile, signal) =>
      attempt(async (used) => {
        const found = await used.getZxy(tile.z, tile.x, tile.y, signal);
        return found && decodeTile(found.data);
      }),
  };
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
