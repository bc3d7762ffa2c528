// Bundles src/main.js with three.js and puts it and the style into page.html: one file, in which
// python3 -m xsim html replaces @TITLE@, @DESCRIPTION@ and @NUMBERS@.
//
//   node build.mjs [OUTPUT]       default: build/viewer/page.html of the repository
import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";

import {build} from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, "../../build/viewer/page.html");

const bundle = await build({
  entryPoints: [join(here, "src/main.js")], bundle: true, minify: true, write: false,
  format: "iife", target: "es2020", charset: "utf8", legalComments: "inline",
});
// Functions as replacements: a "$&" in the program is no pattern.
const page = readFileSync(join(here, "page.html"), "utf8")
  .replace("@STYLE@", () => readFileSync(join(here, "style.css"), "utf8"))
  .replace("@PROGRAM@", () => bundle.outputFiles[0].text);
mkdirSync(dirname(output), {recursive: true});
writeFileSync(output, page);
