import { defineConfig } from "vite";

export default defineConfig({
  base: "./", // files name each other from where they are; the server writes its prefix into index.html
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false }, // browsers without it load the same a little later
    rolldownOptions: { input: ["index.html", "schema.html"] }, // the pages, and the reference of the API
    chunkSizeWarningLimit: 2_000, // Swagger UI, which only the reference loads
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
});
