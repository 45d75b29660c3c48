// Pictures on their way to the server, and those that were not wanted after all.
import { call, upload, type UploadOptions } from "@/shared/api/client";

/** The name by which a note may use the picture; pages find it below `/imgs`. */
export async function uploadPicture(file: Blob, options: UploadOptions): Promise<string | undefined> {
  return upload("/api/upload/blog", file, options);
}

/** Only one's own, and only while nothing uses it. */
export async function deletePicture(name: string): Promise<void> {
  await call("delete", "/api/upload/blog/delete", { query: { name } });
}
