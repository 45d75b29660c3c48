// Draws the icons of the installed app from public/favicon.svg, by the browser that the journeys use.
// Run after the drawing has changed, and commit what it writes: it is a few kB.
import { mkdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { launch } from "../journeys/browser.mjs";

const PAPER = "#fffaf5";
/** Systems cut a maskable icon to a shape of theirs; the middle four fifths are safe, and the pin stays well inside. */
const ICONS = [
  { file: "icon-192.png", size: 192, share: 0.92, paper: "transparent" },
  { file: "icon-512.png", size: 512, share: 0.92, paper: "transparent" },
  { file: "maskable-512.png", size: 512, share: 0.6, paper: PAPER },
  // Apple's home screen shows no transparency and rounds the corners itself.
  { file: "apple-180.png", size: 180, share: 0.7, paper: PAPER },
];

const folder = fileURLToPath(new URL("../public/icons/", import.meta.url));
const drawing = await readFile(new URL("../public/favicon.svg", import.meta.url), "utf8");
await mkdir(folder, { recursive: true });
const browser = await launch();
try {
  for (const icon of ICONS) await draw(icon);
} finally {
  await browser.close();
}

async function draw({ file, size, share, paper }) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const width = Math.round(size * share);
  await page.setContent(
    `<body style="margin:0;height:100vh;display:grid;place-items:center;background:${paper}">` +
      drawing.replace("<svg", `<svg width="${width}" height="${width}"`),
  );
  await page.screenshot({ path: folder + file, omitBackground: true });
  await page.close();
}
