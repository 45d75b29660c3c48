// What the lab found about every version of the flash sale.
import { call, type DataOf } from "@/shared/api/client";

export type LabReport = NonNullable<DataOf<"get", "/api/lab">>;
export type LabVersion = LabReport["versions"][number];
export type LabFinding = LabVersion["findings"][number];
export type LabVerdict = LabFinding["verdict"];
export type LabExperiment = LabReport["experiments"][number];
export type LabOutcome = LabExperiment["ways"][number]["outcomes"][number];
export type LabWords = LabVersion["title"];

export async function getLab(): Promise<LabReport | undefined> {
  return call("get", "/api/lab");
}
