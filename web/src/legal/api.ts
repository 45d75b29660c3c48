// What the pages about privacy and terms tell beyond their words.
import { call, type DataOf } from "@/shared/api/client";

export type Privacy = NonNullable<DataOf<"get", "/api/site/privacy">>;
export type Terms = NonNullable<DataOf<"get", "/api/site/terms">>;
export type Operator = Privacy["operator"];
export type DataUse = Privacy["uses"][number];
export type Purpose = DataUse["purpose"];

export async function getPrivacy(): Promise<Privacy | undefined> {
  return call("get", "/api/site/privacy");
}

export async function getTerms(): Promise<Terms | undefined> {
  return call("get", "/api/site/terms");
}
