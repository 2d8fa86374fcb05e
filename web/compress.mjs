/**
 * Writes each built file once more in brotli and in gzip, beside it: the server sends what a browser accepts and
 * compresses nothing itself. Run by `hatch_build.py` after each build, with the folder of the built pages.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const folder = process.argv[2];
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
for (const { parentPath, name } of files) {
  const path = join(parentPath, name);
  const whole = readFileSync(path);
  for (const [ending, packed] of [[".br", brotliCompressSync(whole)], [".gz", gzipSync(whole, { level: 9 })]]) {
    if (packed.length < whole.length) writeFileSync(path + ending, packed);
  }
}
