/**
 * Bundles the tests and runs them with node's own runner: node scripts/test.mjs [ARGUMENT…]
 *
 * Arguments are the runner's (--test-name-pattern=…); one that ends in .test.ts is a file to run alone.
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import esbuild from "esbuild";

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const given = process.argv.slice(2);
const chosen = given.filter((word) => word.endsWith(".test.ts")).map((word) => word.split("/").at(-1));
const found = (await readdir(join(web, "tests"), { recursive: true }))
  .filter((name) => name.endsWith(".test.ts"))
  .filter((name) => chosen.length === 0 || chosen.some((word) => name.endsWith(word)))
  .sort();
if (found.length === 0) throw new Error("there is no such test");

// Inside of web/, where node looks for packages; its own folder, since two may run at once.
const folder = await mkdtemp(join(web, "node_modules", ".tests-"));
let code = 1;
try {
  await esbuild.build({
    absWorkingDir: web,
    entryPoints: found.map((name) => `tests/${name}`),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: "inline",
    logLevel: "warning",
  });
  await writeFile(join(folder, "package.json"), '{ "type": "module" }\n');
  const bundles = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".mjs")).sort();
  const options = given.filter((word) => !word.endsWith(".test.ts"));
  const words = ["--enable-source-maps", "--test", ...options, ...bundles.map((name) => join(folder, name))];
  code = spawnSync(process.execPath, words, { stdio: "inherit" }).status ?? 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(code);
