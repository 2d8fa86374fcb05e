import { defineConfig } from "vite";

export default defineConfig({
  base: "./", // files name each other from where they are; the server writes its prefix into index.html
  build: { outDir: "../src/punto/web/static", emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
});
