// URLs of pictures as the server lists them, and of their thumbnails.
const FOLDER = "/imgs/";

/** The server lists pictures separated by commas; a URL outside our folder would be refused by our Content-Security-Policy anyway. */
export function picturesOf(list: string): string[] {
  return list
    .split(",")
    .map((url) => url.trim())
    .filter((url) => url.startsWith(FOLDER));
}

/** The URL of an uploaded picture: the server names it without the folder. */
export function pictureUrl(name: string): string {
  return `/imgs${name}`;
}

/** For cards and tiles; the server has no thumbnail of some pictures and sends those as they are. */
export function thumbnailOf(url: string): string {
  return `${url}?size=small`;
}
