// What is searched for most on this site.
import { call } from "@/shared/api/client";

export async function listHotWords(): Promise<string[]> {
  return (await call("get", "/api/search/hot")) ?? [];
}
