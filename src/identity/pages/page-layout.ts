import type { ErrorCode } from '../../http/index.js';
import { sha256 } from '../../platform/crypto/index.js';
import { Html, html } from './html.js';

/** Dark on white above 7:1, and a focus ring that nobody misses (WCAG 2.2, 1.4.6 and 2.4.13). */
const STYLE = `
:root { color-scheme: light; }
body { margin: 0; background: #fff; color: #1a1a1a; font: 1.125rem/1.5 system-ui, sans-serif; }
main { max-width: 28rem; margin: 0 auto; padding: 2rem 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
label { display: block; margin-top: 1rem; font-weight: 600; }
input { box-sizing: border-box; width: 100%; padding: 0.5rem; border: 2px solid #595959; border-radius: 0.25rem; font: inherit; }
input[readonly] { border-style: dashed; }
button { margin-top: 1.5rem; padding: 0.75rem 1.25rem; border: 2px solid #0842a0; border-radius: 0.25rem; background: #0842a0; color: #fff; font: inherit; font-weight: 600; }
:focus-visible { outline: 3px solid #b3261e; outline-offset: 3px; }
.hint { margin: 0.25rem 0 0; }
.problem { border-left: 4px solid #b3261e; padding-left: 0.75rem; color: #8c1d18; font-weight: 600; }
`;

/** Made in one piece: the policy names the hash of exactly what stands between the tags. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/**
 * What keeps a page that holds a token to itself: nothing is loaded, no script runs, only its own style
 * applies, no other page frames it, and its address goes to nobody.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${sha256(STYLE).toString('base64')}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
};

/** A page as it is answered. */
export interface PageAnswer {
  readonly status: number;
  readonly markup: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Why the page did not do what was asked, where it did not. */
  readonly refusal?: ErrorCode;
}

export function page(status: number, title: string, body: Html): PageAnswer {
  const { markup } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `;
  return { status, markup };
}
