// How the site opens on a slow phone: bytes, requests and the moments that people feel, in the manner of Lighthouse
// (a slow 4G line, a processor four times slower), for a first visit and for a second one. Prints a table; the median of
// several runs, each in a fresh browser.
import { launch } from "./browser.mjs";
import { visitSlowly } from "./slowLine.mjs";

const RUNS = Number(process.env.RUNS ?? 3);
const SLOWER = 4;
const PAGES = [
  { name: "home", path: "/" },
  { name: "shop", path: "/shop/4" },
  { name: "list", path: "/shops/1" },
  { name: "map", path: "/map" },
  { name: "flash sale", path: "/sale/4" },
];

const browser = await launch();
try {
  console.log("| page | visit | requests | kB in all | kB of scripts | kB of pictures | first paint | largest paint | layout shift |");
  console.log("|---|---|---|---|---|---|---|---|---|");
  for (const page of PAGES) await report(page);
} finally {
  await browser.close();
}

async function report({ name, path }) {
  const runs = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await visitSlowly(browser, path, { slower: SLOWER, again: true }));
  for (const visit of ["first", "second"]) {
    const of = (figure) => median(runs.map((run) => run[visit][figure]));
    const seconds = (figure) => `${(of(figure) / 1000).toFixed(1)} s`;
    const kb = (figure) => Math.round(of(figure) / 1000);
    const counts = [of("requests"), kb("bytes"), kb("scriptBytes"), kb("pictureBytes")];
    const row = [name, visit, ...counts, seconds("fcpMs"), seconds("lcpMs"), of("cls").toFixed(3)];
    console.log(`| ${row.join(" | ")} |`);
  }
  if (process.env.DETAILS) console.log(runs.map(({ first }) => `  ${Math.round(first.lcpMs)} ms ${first.lcpOf}`).join("\n"));
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}
