// URLs of pictures as the server lists them, and of their thumbnails.
const FOLDER = "/imgs/";

/** On another host, as rows of an adopted database name them. Nothing in it may end an attribute or a `url('…')`. */
const OUTSIDE = /^(?:https?:)?\/\/[^\s'"()<>\\]+$/i;

/** Whether it may be the source of an image. Which other hosts are shown is up to the Content-Security-Policy. */
export function isPicture(url: string): boolean {
  return url.startsWith(FOLDER) || OUTSIDE.test(url);
}

/** The server lists pictures separated by commas. */
export function picturesOf(list: string): string[] {
  return list
    .split(",")
    .map((url) => url.trim())
    .filter(isPicture);
}

/** The URL of an uploaded picture: the server names it without the folder. One on another host is its own name. */
export function pictureUrl(name: string): string {
  return OUTSIDE.test(name) ? name : `/imgs${name}`;
}

/** The name of a picture in a list of the server's. */
export function pictureName(url: string): string {
  return url.startsWith(FOLDER) ? url.slice(FOLDER.length - 1) : url;
}

/** The name of an uploaded picture, as the server names it; null for a picture that nobody uploaded here. */
export function uploadedName(url: string): string | null {
  return url.startsWith(`${FOLDER}blogs/`) ? url.slice(FOLDER.length - 1) : null;
}

/** For cards and tiles; the server has no thumbnail of some pictures and sends those as they are, and no other host has one. */
export function thumbnailOf(url: string): string {
  return url.startsWith(FOLDER) ? `${url}?size=small` : url;
}
