// Users without a browser: the others on the site during a journey.
import assert from "node:assert/strict";
import { BASE_URL } from "./browser.mjs";

const DEMO_MERCHANT = "13800000002";
/** The demo site lives in Shanghai, and its times have no zone. */
const SITE_OFFSET_MS = 8 * 3_600_000;

/** An HTTP client of one user; refusals are replies, not exceptions. */
export class Person {
  #token;
  #site;

  constructor(token, site = BASE_URL) {
    this.#token = token;
    this.#site = site;
  }

  static async signIn(phone, site = BASE_URL) {
    const visitor = new Person(undefined, site);
    const sent = await visitor.post("/api/user/code", { phone });
    assert.ok(sent.success, `no code for ${phone}: ${sent.errorMsg}`);
    const signedIn = await visitor.post("/api/user/login", { phone, code: sent.data.demoCode });
    assert.ok(signedIn.success, `${phone} could not sign in: ${signedIn.errorMsg}`);
    return new Person(signedIn.data, site);
  }

  /** What a browser of theirs would hold. */
  get cookie() {
    return { name: "tandian_session", value: this.#token, url: this.#site, httpOnly: true };
  }

  get = (path) => this.#send("GET", path);
  post = (path, body, headers = {}) => this.#send("POST", path, body, headers);

  async #send(method, path, body, headers = {}) {
    const all = { ...headers, "content-type": "application/json", ...(this.#token && { authorization: this.#token }) };
    const response = await fetch(this.#site + path, { method, headers: all, body: body && JSON.stringify(body) });
    return response.json();
  }
}

const merchants = new Map();

/** A number is sent one code a minute, so all users of the merchant of a site share one. */
export function merchantOf(site = BASE_URL) {
  if (!merchants.has(site)) merchants.set(site, Person.signIn(DEMO_MERCHANT, site));
  return merchants.get(site);
}

/** The new sale's id, or null if the shop is not the merchant's. */
export async function publishSale(merchant, { shopId, title, stock, beginsInMs = -1000 }) {
  const now = Date.now();
  const reply = await merchant.post("/api/voucher/seckill", {
    shopId,
    title,
    subTitle: "到店即用",
    rules: "每人限购1张\n不兑现、不找零",
    payValue: 990,
    actualValue: 3000,
    stock,
    beginTime: wallClock(now + beginsInMs),
    endTime: wallClock(now + 3_600_000),
  });
  return reply.success ? reply.data : null;
}

function wallClock(atMs) {
  return new Date(atMs + SITE_OFFSET_MS).toISOString().slice(0, 19);
}
