// Small choices kept in this browser. Storage may be blocked or full: then a choice lasts as long as the
// page, and nothing breaks. Never holds anything secret or personal.
export type RememberedKey = "tandian.theme" | "tandian.locale" | "tandian.signedIn" | "tandian.place";

export function recall(key: RememberedKey): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key: RememberedKey, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The choice simply is not kept.
  }
}
