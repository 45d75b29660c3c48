import { beforeEach, expect, test } from "vitest";
import { effectScope } from "vue";
import { clearHistoryCache } from "@/shared/historyCache";
import { useResource } from "./useResource";

/** A fetcher whose answers are given by hand, in any order. */
function byHand() {
  const pending: { resolve: (value: string) => void; reject: (error: Error) => void }[] = [];
  const fetcher = () => new Promise<string>((resolve, reject) => pending.push({ resolve, reject }));
  return { pending, fetcher };
}

beforeEach(clearHistoryCache);

test("an early answer that comes late does not overwrite the later one", async () => {
  const { pending, fetcher } = byHand();
  const resource = effectScope().run(() => useResource(fetcher));
  const loads = [resource?.load(), resource?.load()];
  pending[1]?.resolve("new");
  pending[0]?.resolve("old");
  await Promise.all(loads);
  expect(resource?.data.value).toBe("new");
});

test("a failure can be tried again", async () => {
  const { pending, fetcher } = byHand();
  const resource = effectScope().run(() => useResource(fetcher));
  const first = resource?.load();
  pending[0]?.reject(new Error("down"));
  await first;
  expect(resource?.state.value).toBe("failed");
  const second = resource?.load();
  expect(resource?.state.value).toBe("loading");
  pending[1]?.resolve("up");
  await second;
  expect(resource?.state.value).toBe("ready");
});

test("nothing changes after the page is gone", async () => {
  const { pending, fetcher } = byHand();
  const scope = effectScope();
  const resource = scope.run(() => useResource(fetcher));
  const load = resource?.load();
  scope.stop();
  pending[0]?.resolve("late");
  await load;
  expect(resource?.data.value).toBeUndefined();
});

test("after going back the cached value is shown, and then the loaded one", async () => {
  const { pending, fetcher } = byHand();
  const scope = effectScope();
  const first = scope.run(() => useResource(fetcher, "shop"));
  const load = first?.load();
  pending[0]?.resolve("old");
  await load;
  scope.stop();

  const back = effectScope().run(() => useResource(fetcher, "shop"));
  expect([back?.data.value, back?.state.value]).toEqual(["old", "ready"]);
  const again = back?.load();
  pending[1]?.resolve("new");
  await again;
  expect(back?.data.value).toBe("new");
});
