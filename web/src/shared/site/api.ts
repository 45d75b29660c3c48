// The site's public description. It has the server's time, the first that a page gets.
import { call, type DataOf } from "@/shared/api/client";
import { earlyClockOffsetMs } from "@/shared/api/earlyReplies";
import { syncServerOffset, syncServerTime } from "@/shared/serverClock";

export type Site = NonNullable<DataOf<"get", "/api/site">>;
export type ContactKind = Site["contacts"][number];
export type DemoAccount = NonNullable<Site["demoAccounts"]>[number];

export async function getSite(): Promise<Site | undefined> {
  const site = await call("get", "/api/site");
  if (site !== undefined) syncServerTime(site.nowMs);
  const early = earlyClockOffsetMs();
  if (early !== undefined) syncServerOffset(early);
  return site;
}
