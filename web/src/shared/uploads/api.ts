// Uploading pictures, and deleting those that were not used.
import { call, upload, type UploadOptions } from "@/shared/api/client";

/** Resolves with the name for a note; the URL is below `/imgs`. */
export async function uploadPicture(file: Blob, options: UploadOptions): Promise<string | undefined> {
  return upload("/api/upload/blog", file, options);
}

/** Only of the same user, and only while nothing uses it. */
export async function deletePicture(name: string): Promise<void> {
  await call("delete", "/api/upload/blog/delete", { query: { name } });
}
