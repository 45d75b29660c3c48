// Loads numbered pages for an infinite list: a page that is not full is the last.
import type { ListPage } from "./useInfiniteList";

const FIRST_PAGE = 1;

export function pageLoader<T>(fetchPage: (page: number) => Promise<T[]>, perPage: number) {
  return async (cursor: number | undefined): Promise<ListPage<T, number>> => {
    const page = cursor ?? FIRST_PAGE;
    const items = await fetchPage(page);
    return { items, next: items.length < perPage ? undefined : page + 1 };
  };
}
