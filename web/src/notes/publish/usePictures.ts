// The pictures of a note that is written or changed: chosen, shrunk, uploaded, ordered and removed. Invariants: never more than allowed; a picture
// keeps its place whatever happens to the others; removing a picture aborts its upload and deletes it from the server, unless a published note shows it.
import { computed, onScopeDispose, reactive, ref } from "vue";
import { ApiError, type UploadOptions } from "@/shared/api/client";
import { pictureUrl, thumbnailOf } from "@/shared/pictures";
import { deletePicture, uploadPicture } from "@/shared/uploads/api";
import { prepare } from "@/shared/uploads/pictureFile";

type PictureState = "waiting" | "sending" | "ready" | "failed";

export interface NotePicture {
  /** Identifies the picture on this page. */
  readonly key: number;
  /** The URL to show: of the chosen file, or of the thumbnail on the server. */
  preview: string;
  state: PictureState;
  /** The share that is sent, from 0 to 1. */
  progress: number;
  /** Its name on the server, once it is uploaded. */
  name: string | null;
  failure: unknown;
}

/** The server encodes a few pictures at a time, and parallel uploads slow each other down. */
const CONCURRENT_UPLOADS = 2;
/** A busy server is retried this often before the upload fails. */
const ATTEMPTS_MAX = 3;

export function usePictures(most: number) {
  const pictures = ref<NotePicture[]>([]);
  const files = new Map<number, Blob>();
  const controls = new Map<number, AbortController>();
  /** Names of pictures that the note has while it is changed: the server frees them when the change is saved. */
  const published = new Set<string>();
  let lastKey = 0;

  const names = computed(() => pictures.value.flatMap(({ name }) => (name === null ? [] : [name])));
  const uploading = computed(() => pictures.value.some(({ state }) => state === "waiting" || state === "sending"));
  const room = computed(() => most - pictures.value.length);

  /** Adds what there is room for, and returns how many were left out. */
  function add(chosen: readonly File[]): number {
    const taken = chosen.slice(0, Math.max(0, room.value));
    for (const file of taken) {
      const picture = blank(URL.createObjectURL(file), null);
      files.set(picture.key, file);
      pictures.value.push(picture);
    }
    sendWaiting();
    return chosen.length - taken.length;
  }

  /** Pictures of a draft, which are on the server already. */
  function restore(kept: readonly string[]): void {
    for (const name of kept.slice(0, room.value)) pictures.value.push(blank(thumbnailOf(pictureUrl(name)), name));
  }

  /** Pictures of a published note. */
  function restorePublished(names: readonly string[]): void {
    for (const name of names) published.add(name);
    restore(names);
  }

  /** Other pictures take the place of all there are, which stay on the server. */
  function reset(names: readonly string[]): void {
    for (const picture of pictures.value) {
      controls.get(picture.key)?.abort();
      release(picture);
    }
    pictures.value = [];
    restore(names);
  }

  function blank(preview: string, name: string | null): NotePicture {
    const state = name === null ? "waiting" : "ready";
    return reactive({ key: ++lastKey, preview, state, progress: 0, name, failure: undefined });
  }

  function sendWaiting(): void {
    const sending = pictures.value.filter(({ state }) => state === "sending").length;
    const next = pictures.value.filter(({ state }) => state === "waiting").slice(0, CONCURRENT_UPLOADS - sending);
    for (const picture of next) void send(picture);
  }

  async function send(picture: NotePicture): Promise<void> {
    const file = files.get(picture.key);
    if (file === undefined) return;
    const control = new AbortController();
    controls.set(picture.key, control);
    Object.assign(picture, { state: "sending", progress: 0, failure: undefined });
    try {
      const onProgress = (share: number) => (picture.progress = share);
      const name = await uploadWithRetry(await prepare(file), { onProgress, signal: control.signal });
      if (control.signal.aborted) discard(name);
      else Object.assign(picture, { state: "ready", name });
    } catch (failure) {
      if (!control.signal.aborted) Object.assign(picture, { state: "failed", failure });
    } finally {
      sendWaiting();
    }
  }

  function retry(picture: NotePicture): void {
    picture.state = "waiting";
    sendWaiting();
  }

  function remove(picture: NotePicture): void {
    controls.get(picture.key)?.abort();
    pictures.value = pictures.value.filter(({ key }) => key !== picture.key);
    release(picture);
    discard(picture.name);
    sendWaiting();
  }

  /** Another file in the same place, such as a cropped one. */
  function replace(picture: NotePicture, file: Blob): void {
    controls.get(picture.key)?.abort();
    release(picture);
    discard(picture.name);
    files.set(picture.key, file);
    Object.assign(picture, { name: null, state: "waiting", preview: URL.createObjectURL(file) });
    sendWaiting();
  }

  function move(picture: NotePicture, by: number): void {
    const from = pictures.value.findIndex(({ key }) => key === picture.key);
    const to = from + by;
    if (from === -1 || to < 0 || to >= pictures.value.length) return;
    const others = pictures.value.filter(({ key }) => key !== picture.key);
    pictures.value = [...others.slice(0, to), picture, ...others.slice(to)];
  }

  function release(picture: NotePicture): void {
    if (picture.preview.startsWith("blob:")) URL.revokeObjectURL(picture.preview);
    files.delete(picture.key);
    controls.delete(picture.key);
  }

  /** Best effort: the server deletes unused pictures in time. */
  function discard(name: string | null): void {
    if (name !== null && !published.has(name)) void deletePicture(name).catch(() => undefined);
  }

  onScopeDispose(() => {
    for (const control of controls.values()) control.abort();
    pictures.value.forEach(release);
  });

  return { pictures, names, uploading, room, add, restore, reset, restorePublished, retry, remove, replace, move };
}

/** Null if it was aborted before it began. */
async function uploadWithRetry(file: Blob, options: UploadOptions): Promise<string | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return options.signal.aborted ? null : ((await uploadPicture(file, options)) ?? null);
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !(error instanceof ApiError) || error.code !== "busy") throw error;
      await pause(error.retryAfterSecs ?? 1, options.signal);
    }
  }
}

function pause(secs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, secs * 1000);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
