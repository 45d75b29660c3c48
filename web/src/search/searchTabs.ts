// What is searched, as in the URL; the first is the usual one.
export const SEARCH_TABS = ["shops", "notes", "people"] as const;
export type SearchTab = (typeof SEARCH_TABS)[number];
