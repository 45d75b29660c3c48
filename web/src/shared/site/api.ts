// What the site says about itself before anyone has signed in. It tells its time, too: the first that a page hears of it.
import { call, type DataOf } from "@/shared/api/client";
import { hearServerTime } from "@/shared/serverClock";

export type Site = NonNullable<DataOf<"get", "/api/site">>;
export type ContactKind = Site["contacts"][number];
export type DemoAccount = NonNullable<Site["demoAccounts"]>[number];

export async function getSite(): Promise<Site | undefined> {
  const site = await call("get", "/api/site");
  if (site !== undefined) hearServerTime(site.nowMs);
  return site;
}
