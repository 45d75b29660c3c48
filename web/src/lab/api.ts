// What the lab found about every version of the flash sale.
import { call, type DataOf } from "@/shared/api/client";

export type LabReport = NonNullable<DataOf<"get", "/api/lab">>;
export type LabVersion = LabReport["versions"][number];
export type LabFinding = LabVersion["findings"][number];
export type LabVerdict = LabFinding["verdict"];
export type LabExperiment = LabReport["experiments"][number];
export type LabOutcome = LabExperiment["ways"][number]["outcomes"][number];
export type LabWords = LabVersion["title"];
export type LabRecordings = NonNullable<DataOf<"get", "/api/lab/versions/{id}">>;
export type LabRecording = LabRecordings["schedules"][number];
export type LabStep = LabRecording["steps"][number];
export type LabCrowd = NonNullable<DataOf<"get", "/api/lab/crowd">>;
export type LabCrowdRun = NonNullable<LabCrowd["run"]>;

export async function getLab(): Promise<LabReport | undefined> {
  return call("get", "/api/lab");
}

/** Every step of the schedules of a version, which the report leaves out. */
export async function getRecordings(id: string): Promise<LabRecordings | undefined> {
  return call("get", "/api/lab/versions/{id}", { path: { id } });
}

/** Whether this reader may start a crowd here, and how the last one goes. */
export async function getCrowd(): Promise<LabCrowd | undefined> {
  return call("get", "/api/lab/crowd");
}

export async function startCrowd(body: { version: string; buyers: number; stock: number }): Promise<LabCrowdRun | undefined> {
  return call("post", "/api/lab/crowd", { body });
}

export async function cancelCrowd(): Promise<LabCrowd | undefined> {
  return call("delete", "/api/lab/crowd");
}
