// Addresses of pictures as the server lists them, and which print of each a page asks for.
const FOLDER = "/imgs/";

/** The server lists pictures separated by commas; an address outside our folder would be refused by our policy anyway. */
export function picturesOf(list: string): string[] {
  return list
    .split(",")
    .map((address) => address.trim())
    .filter((address) => address.startsWith(FOLDER));
}

/** Where pages find a picture that was uploaded: the server names it without the folder. */
export function addressOf(name: string): string {
  return `/imgs${name}`;
}

/** The print for cards and thumbnails; pictures that have only one are served as they are. */
export function smallPrint(address: string): string {
  return `${address}?size=small`;
}
