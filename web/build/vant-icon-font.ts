// Vant carries its icon font inside its stylesheet, as a data: address with a CDN as second choice.
// Our Content-Security-Policy allows fonts from our own site only, so the font becomes an ordinary
// fingerprinted asset here: fetched when the first icon is shown, cached for ever, never from elsewhere.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "vite";

const STYLESHEET = /vant[\\/]es[\\/]icon[\\/]index\.css$/;
const FONT_SOURCE = /src:\s*url\(["']?data:font\/woff2[^,]*;base64,([A-Za-z0-9+/=]+)["']?\)[^;}]*/;

export function vantIconFont(cacheDir: string): Plugin {
  return {
    name: "vant-icon-font",
    enforce: "pre",
    transform(css, id) {
      const file = id.split("?")[0] ?? id;
      if (!STYLESHEET.test(file)) return null;
      const font = FONT_SOURCE.exec(css)?.[1];
      if (font === undefined) this.error("vant's icon stylesheet no longer embeds a woff2 font");
      mkdirSync(cacheDir, { recursive: true });
      const target = path.join(cacheDir, "vant-icon.woff2");
      writeFileSync(target, Buffer.from(font, "base64"));
      const address = path.relative(path.dirname(file), target).split(path.sep).join("/");
      return { code: css.replace(FONT_SOURCE, `src:url("${address}") format("woff2")`), map: null };
    },
  };
}
