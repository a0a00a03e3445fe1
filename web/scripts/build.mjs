/**
 * Builds the page: node scripts/build.mjs [FOLDER]
 *
 * Entry points are what index.html names below src/; each becomes a file of assets/ with a hash in its
 * name, as does what they load later. public/ is copied as it is. The same sources make the same
 * bytes anywhere, so that what is under version control can be compared with what is built.
 */
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import esbuild from "esbuild";

const MOST_FIRST_LOAD_BYTES = 60 * 1024;
const web = dirname(dirname(fileURLToPath(import.meta.url)));
const place = resolve(process.argv[2] ?? join(web, "../src/sayso/web/static"));
// Put in place whole: somebody may be starting a desk right now.
const target = `${place}.${process.pid}.tmp`;

const shared = {
  absWorkingDir: web,
  bundle: true,
  charset: "utf8",
  legalComments: "none", // the licences stand whole in licenses.txt
  logLevel: "warning",
  metafile: true,
  minify: true,
  target: "es2022",
};

/** Returns the files of a folder, by their names relative to it, in the order of the names. */
async function filesIn(folder) {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}

async function page() {
  const source = await readFile(join(web, "index.html"), "utf8");
  const entries = [...source.matchAll(/(?:src|href)="(src\/[^"]+)"/g)].map((match) => match[1]);
  const built = await esbuild.build({
    ...shared,
    entryPoints: entries,
    outdir: join(target, "assets"),
    format: "esm",
    splitting: true,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
  });
  const outputs = Object.entries(built.metafile.outputs).map(([path, output]) => {
    return { url: "/" + relative(target, resolve(web, path)).split(sep).join("/"), path, output };
  });
  const first = firstLoad(built.metafile.outputs, entries);
  const named = Object.fromEntries(outputs.map(({ url, output }) => [output.entryPoint, url]));
  const urlOf = Object.fromEntries(outputs.map(({ url, path }) => [path, url]));
  const preloads = [...first]
    .filter((path) => path.endsWith(".js") && !entries.includes(built.metafile.outputs[path].entryPoint))
    .map((path) => `<link rel="modulepreload" href="${urlOf[path]}" />`);
  const html = source
    .replace(/(src|href)="(src\/[^"]+)"/g, (_, attribute, entry) => `${attribute}="${named[entry]}"`)
    .replace("</head>", preloads.map((line) => `  ${line}\n  `).join("") + "</head>");
  await writeFile(join(target, "index.html"), html);
  await checkSize(html, [...first]);
  return built.metafile;
}

/** Returns what is loaded before the page shows anything: the entries and what they import statically. */
function firstLoad(outputs, entries) {
  const waiting = Object.keys(outputs).filter((path) => entries.includes(outputs[path].entryPoint));
  const first = new Set();
  while (waiting.length > 0) {
    const path = waiting.pop();
    if (path === undefined || first.has(path)) continue;
    first.add(path);
    for (const used of outputs[path].imports) {
      if (used.kind === "import-statement") waiting.push(used.path);
    }
  }
  return first;
}

async function checkSize(html, paths) {
  let bytes = gzipSync(html).length;
  for (const path of paths) bytes += gzipSync(await readFile(resolve(web, path))).length;
  console.log(`first load: ${(bytes / 1024).toFixed(1)} KiB gzipped`);
  if (bytes > MOST_FIRST_LOAD_BYTES) {
    throw new Error(`the first load is to stay below ${MOST_FIRST_LOAD_BYTES / 1024} KiB gzipped`);
  }
}

/** Builds the service worker: it is told what there is to keep, and of which build it is. */
async function worker() {
  const names = (await filesIn(target)).filter((name) => name !== "licenses.txt");
  const build = createHash("sha256");
  for (const name of names) build.update(name).update(await readFile(join(target, name)));
  const paths = names.map((name) => (name === "index.html" ? "/" : `/${name}`));
  const built = await esbuild.build({
    ...shared,
    entryPoints: ["src/sw.ts"],
    outfile: join(target, "sw.js"),
    format: "iife",
    define: { __BUILD__: JSON.stringify(build.digest("hex").slice(0, 16)), __FILES__: JSON.stringify(paths) },
  });
  return built.metafile;
}

/** Writes the licences of every package that is part of what was built. */
async function licenses(...metafiles) {
  const packages = new Set();
  for (const metafile of metafiles) {
    for (const output of Object.values(metafile.outputs)) {
      for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
        const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
        if (match && bytesInOutput > 0) packages.add(match[1]);
      }
    }
  }
  const parts = [];
  for (const name of [...packages].sort()) {
    const folder = join(web, "node_modules", name);
    const file = (await readdir(folder)).find((entry) => /^licen[sc]e(\.|$)/i.test(entry));
    const about = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const text = file ? await readFile(join(folder, file), "utf8") : `License: ${about.license}\n`;
    parts.push(`${name}\n${"=".repeat(name.length)}\n\n${text.trim()}\n`);
  }
  await writeFile(join(target, "licenses.txt"), parts.join("\n\n"));
}

await mkdir(target, { recursive: true });
try {
  const built = await page();
  await stat(join(web, "public")).then(() => cp(join(web, "public"), target, { recursive: true }));
  await licenses(built, await worker());
  await rm(place, { recursive: true, force: true });
  await rename(target, place);
} finally {
  await rm(target, { recursive: true, force: true });
}
