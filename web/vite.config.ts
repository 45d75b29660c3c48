// Build, development server and unit tests. Invariants: nothing in dist is inline script, everything
// under assets/ carries a content hash, and only index.html, sw.js and the files of public/ keep their names.
import path from "node:path";
import { fileURLToPath } from "node:url";
import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vitest/config";
import { serviceWorker } from "./build/service-worker.ts";
import { startScript } from "./build/start-script.ts";

const root = fileURLToPath(new URL(".", import.meta.url));
// The server refuses writes by cookie whose origin is not the host they were sent to, so the host stays as it was.
const proxied = { target: process.env["BACKEND_URL"] ?? "http://127.0.0.1:8080", changeOrigin: false };

export default defineConfig({
  plugins: [vue(), startScript(root), serviceWorker(root)],
  resolve: { alias: { "@": path.join(root, "src") } },
  define: {
    // No component is written with the options API.
    __VUE_OPTIONS_API__: false,
    // The legacy API and the devtools of vue-i18n are not used; leaving them out saves several kB.
    __VUE_I18N_LEGACY_API__: false,
    __INTLIFY_PROD_DEVTOOLS__: false,
  },
  server: { proxy: { "/api": proxied, "/imgs": proxied, "/cashier": proxied, "/tiles": proxied } },
  build: {
    target: "es2022",
    // Small pictures stay files too: data: URLs would be cached with their parent only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "vue", test: /node_modules[\\/](@vue|vue|vue-router|pinia)[\\/]/, priority: 2 },
            // What three pages and more use comes in one file: on a slow network every request costs.
            { name: "shared", test: /src[\\/]/, minShareCount: 3, priority: 1 },
            { name: "i18n", test: /node_modules[\\/](vue-i18n|@intlify)[\\/]/, priority: 2 },
          ],
        },
      },
    },
  },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.ts", "build/**/*.test.ts"],
    restoreMocks: true,
    // Stylesheets are read as text by the test of their colours; by default they would be blank.
    css: true,
  },
});
