// Runs before the app's scripts are there, while they are being loaded: requests the code of the page that the URL names, what
// it shows first, and the first picture in it, so that a slow line is never idle. The app takes the replies over
// (earlyReplies.ts). Whatever fails here is requested again there, or fails there.
// Invariant: it makes the calls that the page will make, with the same functions; a journey finds one that is made twice.
import { listHotNotes, listNotesOfShop } from "@/notes/api";
import { call, configureClient } from "@/shared/api/client";
import { keepClockOffset, keepEarlyReply } from "@/shared/api/earlyReplies";
import { preferredLocale, type LocaleName } from "@/shared/i18n/locales";
import { readSetting } from "@/shared/localSettings";
import { picturesOf, thumbnailOf } from "@/shared/pictures";
import { numberIn, oneOf } from "@/shared/queryValue";
import { getShop, listShopsAround, listShopsForMap, listShopTypes, SHOP_SORTS, type Shop } from "@/shops/api";
import { cityOf, pointIn } from "@/shops/place";
import { LIST_METRES, MAP_METRES, NEARBY_METRES } from "@/shops/reach";

/** What build/start-script.ts knows of the chunks: of each language, and of each page by the pattern of its path. */
export interface FirstFiles {
  languages: Record<LocaleName, readonly string[]>;
  pages: readonly (readonly [pattern: string, files: readonly string[]])[];
}

/** As many as a phone shows of a list at once. */
const COVERS = 4;
const COVERS_BELOW_MAP = 1;

export function startEarly(files: FirstFiles, { pathname, search }: Pick<Location, "pathname" | "search">): void {
  const language = preferredLocale(navigator.languages);
  const page = files.pages.find(([pattern]) => new RegExp(pattern).test(pathname))?.[1] ?? [];
  // Scripts first: nothing is drawn without them, and browsers load a few files at a time.
  const first = [...files.languages[language], ...page];
  first.sort((one, other) => Number(isStyle(one)) - Number(isStyle(other))).forEach(preloadFile);
  configureClient({
    language: () => language,
    onUnauthorized: () => undefined,
    request: (url, init) => {
      const reply = fetch(url, init);
      keepEarlyReply(url, language, reply);
      return reply.then((response) => response.clone());
    },
  });
  // The site's first: what it adds to the front page would push the rest down.
  for (const reply of [site(), ...firstCalls(pathname, new URLSearchParams(search))]) reply.catch(() => undefined);
}

function firstCalls(pathname: string, search: URLSearchParams): Promise<unknown>[] {
  const [, name = "", id = ""] = /^\/(\w*)(?:\/(\w+))?\/?$/.exec(pathname) ?? [undefined, "none"];
  const query = Object.fromEntries(search);
  const { point } = cityOf(readSetting("tandian.place"));
  switch (name) {
    case "":
      return [
        listShopTypes(),
        call("get", "/api/voucher/seckill/running", { query: { ...point } }),
        listShopsForMap(point, NEARBY_METRES, undefined),
        listHotNotes(1, point),
      ];
    case "shop":
      return callsOfShop(numberIn(id) ?? 0);
    case "shops": {
      const sort = oneOf(query, "sort", SHOP_SORTS);
      const radiusMetres = Number(oneOf(query, "radius", LIST_METRES));
      return [listShopsAround({ typeId: numberIn(id) ?? 0, point, sort, radiusMetres }, 1).then((shops) => preloadCovers(shops, COVERS)), listShopTypes()];
    }
    case "map":
      return [
        listShopsForMap(pointIn(query["at"]) ?? point, MAP_METRES, numberIn(query["type"])).then((shops) => preloadCovers(shops, COVERS_BELOW_MAP)),
        listShopTypes(),
      ];
    default:
      return [];
  }
}

/** The app reads this reply late, so how far its clock is from ours is taken down at once. */
async function site(): Promise<void> {
  const reply = await call("get", "/api/site");
  if (reply !== undefined) keepClockOffset(reply.nowMs - performance.now());
}

function callsOfShop(id: number): Promise<unknown>[] {
  const shop = getShop(id).then((found) => preloadPicture(picturesOf(found?.images ?? "")[0]));
  return [shop, call("get", "/api/voucher/list/{shopId}", { path: { shopId: id } }), listNotesOfShop(id, 1)];
}

function preloadCovers(shops: readonly Shop[], count: number): void {
  for (const { images } of shops.slice(0, count)) {
    const [cover] = picturesOf(images);
    preloadPicture(cover && thumbnailOf(cover));
  }
}

function preloadPicture(url: string | undefined): void {
  if (url === undefined) return;
  preload({ rel: "preload", as: "image", href: url, fetchPriority: "high", referrerPolicy: "no-referrer" });
}

/** The stylesheet is not put to use: that is for the app to do, in its order. */
function preloadFile(file: string): void {
  const kind = isStyle(file) ? { rel: "preload", as: "style" } : { rel: "modulepreload" };
  // As the app will request it, or it would be fetched twice.
  preload({ ...kind, href: file, crossOrigin: "" });
}

function isStyle(file: string): boolean {
  return file.endsWith(".css");
}

function preload(attributes: Partial<HTMLLinkElement>): void {
  document.head.append(Object.assign(document.createElement("link"), attributes));
}
