// What was booked on the user's balance.
import { call, type DataOf } from "@/shared/api/client";
import type { CursorQuery } from "@/shared/composables/pageLoader";

export type BalancePage = NonNullable<DataOf<"get", "/api/user/balance/entries">>;
export type BalanceEntry = BalancePage["list"][number];

export async function listEntries(query: CursorQuery): Promise<BalancePage> {
  return (await call("get", "/api/user/balance/entries", { query })) ?? { list: [] };
}
