import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { precompress } from './precompress.js';

const service = process.env.SERVICE_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), precompress()],
  resolve: {
    alias: { '@service/client': fileURLToPath(new URL('../client/src/index.ts', import.meta.url)) },
  },
  // The server puts a nonce of each response in its place (src/console-pages.ts).
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The policy forbids data: URLs for anything but images.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Charts are a chunk of their own, loaded by the pages that draw some.
    chunkSizeWarningLimit: 700,
  },
  // `npm run dev --workspace console` beside a running program.
  server: {
    proxy: Object.fromEntries(
      ['/auth', '/jobs', '/vault', '/admin', '/health', '/console/session'].map((path) => [path, service]),
    ),
  },
});
