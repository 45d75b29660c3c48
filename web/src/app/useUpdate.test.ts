import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** A worker as the browser shows it: a state that changes, and messages it was sent. */
class Worker extends EventTarget {
  readonly messages: unknown[] = [];
  state = "installing";
  postMessage(message: unknown): void {
    this.messages.push(message);
  }
  become(state: string): void {
    this.state = state;
    this.dispatchEvent(new Event("statechange"));
  }
}

class Registration extends EventTarget {
  waiting: Worker | null = null;
  installing: Worker | null = null;
  find(worker: Worker): void {
    this.installing = worker;
    this.dispatchEvent(new Event("updatefound"));
  }
}

class Container extends EventTarget {
  controller: Worker | null = new Worker();
  readonly registration = new Registration();
  register = async () => this.registration;
}

const reload = vi.fn();
let container: Container;

beforeEach(() => {
  vi.resetModules();
  reload.mockReset();
  container = new Container();
  vi.stubGlobal("navigator", { serviceWorker: container });
});
afterEach(() => vi.unstubAllGlobals());

async function started() {
  const { startUpdates, useUpdate } = await import("./useUpdate");
  await startUpdates(reload);
  return useUpdate();
}

function installed(): Worker {
  const worker = new Worker();
  container.registration.find(worker);
  worker.become("installed");
  return worker;
}

test("the first worker of a browser is not offered as an update", async () => {
  container.controller = null;
  const update = await started();
  installed();
  expect(update.waiting.value).toBeNull();
});

test("a new version is offered, and applied only on request", async () => {
  const update = await started();
  const worker = installed();
  expect(update.waiting.value).toBe(worker);
  expect(worker.messages).toEqual([]);
  update.apply();
  expect(worker.messages).toEqual(["take-over"]);
  expect(reload).not.toHaveBeenCalled();
  container.dispatchEvent(new Event("controllerchange"));
  expect(reload).toHaveBeenCalledOnce();
});

test("a tab is not reloaded when another one applies the new version", async () => {
  const update = await started();
  const worker = installed();
  worker.become("activated");
  container.dispatchEvent(new Event("controllerchange"));
  expect(reload).not.toHaveBeenCalled();
  update.apply();
  expect(reload).toHaveBeenCalledOnce();
});

test("a version that was found before this page is offered too", async () => {
  container.registration.waiting = new Worker();
  const update = await started();
  expect(update.waiting.value).toBe(container.registration.waiting);
});

test("a browser that refuses workers has a site without", async () => {
  container.register = () => Promise.reject(new DOMException("", "SecurityError"));
  const update = await started();
  expect(update.waiting.value).toBeNull();
});
