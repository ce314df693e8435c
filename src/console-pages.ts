import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomToken } from './platform/crypto/index.js';

/** The build of console/, below the folder of the program: the clone's, or the image's. */
const BUILD = 'console/dist';

/** What the build puts in place of the nonce (`html.cspNonce` in console/vite.config.ts). */
const NONCE_MARK = '__CSP_NONCE__';

/** https://www.rfc-editor.org/rfc/rfc8246: the name of each file has a hash of its content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The folder with the built console; null where it was not built. */
export function consoleFolder(): string | null {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, BUILD, 'index.html'))) return join(folder, BUILD);
    if (dirname(folder) === folder) return null;
  }
}

/**
 * The component library writes its variables into a style element, which needs the nonce, and sets sizes in style
 * attributes. Scripts come from files of this origin alone.
 */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Serves the console: its files for good, since each change gives them other names, and for every other path below
 * /console the index, whose router knows the pages.
 */
export function serveConsole(app: NestFastifyApplication, folder: string): void {
  const server = app.getHttpAdapter().getInstance();
  void server.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/console/assets/',
    decorateReply: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply) => {
      void reply.header('Cache-Control', IMMUTABLE);
    },
  });
  const index = readFileSync(join(folder, 'index.html'), 'utf8');
  for (const path of ['/console', '/console/*'])
    server.get(path, async (_request, reply) => {
      const nonce = randomToken();
      await reply
        .headers({
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': policy(nonce),
          'X-Robots-Tag': 'noindex',
        })
        .send(index.replaceAll(NONCE_MARK, nonce));
    });
}
