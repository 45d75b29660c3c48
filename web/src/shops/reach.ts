// How far around a place shops are searched, in metres.

/** On the front page: as far as people walk or take a short ride; the map has the rest. */
export const NEARBY_METRES = 3_000;

/** The map's first search. */
export const MAP_METRES = 10_000;

/** In a list of one type, as they are in its URL; the last is the server's limit. */
export const LIST_METRES = ["5000", "10000", "50000"] as const;
