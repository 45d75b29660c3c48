// What the site says about itself before anyone has signed in.
import { call, type DataOf } from "./client";

export type Site = NonNullable<DataOf<"get", "/api/site">>;
export type DemoAccount = NonNullable<Site["demoAccounts"]>[number];

export async function getSite(): Promise<Site | undefined> {
  return call("get", "/api/site");
}
