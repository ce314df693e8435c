import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { apiReference } from './api-reference.js';
import { precompress } from './precompress.js';

// The server puts a nonce of each response in its place (src/startup/console-pages.ts).
const cspNonce = '__CSP_NONCE__';
const base = '/console/';
const service = process.env.SERVICE_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  base,
  plugins: [react(), apiReference({ base, nonce: cspNonce }), precompress()],
  resolve: {
    alias: { '@service/client': fileURLToPath(new URL('../client/src/index.ts', import.meta.url)) },
  },
  html: { cspNonce },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Shorter, compressed, than in base64: the first page names some 160 files.
    rolldownOptions: { output: { hashCharacters: 'hex' } },
    // The policy forbids data: URLs for anything but images.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
  // `npm run dev --workspace console` beside a running program.
  server: {
    proxy: Object.fromEntries(
      ['/auth', '/jobs', '/vault', '/admin', '/health', '/console/session'].map((path) => [path, service]),
    ),
  },
});
