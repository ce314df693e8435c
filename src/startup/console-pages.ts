import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PAGE_HEADERS } from '../http/index.js';
import { randomToken } from '../platform/crypto/index.js';

/** The build of console/, below the folder of the program: the clone's, or the image's. */
const BUILD = 'console/dist';

/** What the build puts in place of the nonce (console/vite.config.ts). */
const NONCE_MARK = '__CSP_NONCE__';

/** https://www.rfc-editor.org/rfc/rfc8246: the name of each file has a hash of its content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The folder with the console and the API reference; null where they were not built. */
export function builtPages(): string | null {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, BUILD, 'index.html'))) return join(folder, BUILD);
    if (dirname(folder) === folder) return null;
  }
}

/** Besides the files of this origin. Component libraries set sizes in style attributes. */
function policy(from: { readonly scripts?: string; readonly styles: string }): string {
  return [
    "default-src 'none'",
    ['script-src', "'self'", from.scripts ?? ''].join(' ').trim(),
    `style-src 'self' ${from.styles}`,
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
 * Serves the API reference, and the console unless it is turned off. Their files may be kept for good, since each
 * change gives them other names. Below /console every other path answers with the index, whose router knows the pages.
 */
export function servePages(
  app: NestFastifyApplication,
  folder: string,
  { enabled }: { readonly enabled: boolean },
): void {
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
  // A script in the page has the nonce; the library writes style elements without one.
  serveHtml(server, ['/docs', '/docs/'], join(folder, 'api-reference.html'), (nonce) =>
    policy({ scripts: `'nonce-${nonce}'`, styles: "'unsafe-inline'" }),
  );
  if (enabled)
    serveHtml(server, ['/console', '/console/*'], join(folder, 'index.html'), (nonce) =>
      policy({ styles: `'nonce-${nonce}'` }),
    );
}

function serveHtml(
  server: FastifyInstance,
  paths: readonly string[],
  file: string,
  policyOf: (nonce: string) => string,
): void {
  const html = readFileSync(file, 'utf8');
  for (const path of paths)
    server.get(path, async (_request, reply) => {
      const nonce = randomToken();
      await reply
        .headers({
          ...PAGE_HEADERS,
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': policyOf(nonce),
          'X-Robots-Tag': 'noindex',
        })
        .send(html.replaceAll(NONCE_MARK, nonce));
    });
}
