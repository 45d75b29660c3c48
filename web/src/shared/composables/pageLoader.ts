// Loads pages for an infinite list: numbered pages, the last of which is not full, or pages by cursor, the last of which
// has none.
import type { ListPage } from "./useInfiniteList";

const FIRST_PAGE = 1;

export function pageLoader<T>(fetchPage: (page: number) => Promise<T[]>, perPage: number) {
  return async (cursor: number | undefined): Promise<ListPage<T, number>> => {
    const page = cursor ?? FIRST_PAGE;
    const items = await fetchPage(page);
    return { items, next: items.length < perPage ? undefined : page + 1 };
  };
}

export interface CursorQuery {
  cursor?: string;
}

/** As the server replies. */
interface CursorPage<T> extends CursorQuery {
  list: T[];
}

export function cursorLoader<T>(fetchPage: (query: CursorQuery) => Promise<CursorPage<T>>) {
  return async (cursor: string | undefined): Promise<ListPage<T, string>> => {
    const page = await fetchPage(cursor === undefined ? {} : { cursor });
    return { items: page.list, next: page.cursor };
  };
}
