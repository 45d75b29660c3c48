// Small settings in this browser's local storage. Storage may be blocked or full: then a setting lasts as long as the
// page, and nothing breaks. Never holds anything secret or personal.
type SettingKey = "tandian.theme" | "tandian.locale" | "tandian.signedIn" | "tandian.place";

export function readSetting(key: SettingKey): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function writeSetting(key: SettingKey, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The setting is not stored.
  }
}
