import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { ErrorCode } from '../../http/index.js';
import { sha256 } from '../../platform/crypto/index.js';
import { RefusalMetrics } from '../../platform/metrics/index.js';
import { Html, html } from './html.js';

/**
 * Both themes keep text at 7:1 and the borders of controls at 3:1 against what is behind them (WCAG 2.2, 1.4.6 and
 * 1.4.11), and show where the focus is.
 */
const STYLE = `
:root { color-scheme: light dark; --ground: #f3f4f6; --card: #fff; --line: #d5d9df; --text: #16191d; --quiet: #454b54; --control: #6b7280; --accent: #0842a0; --on-accent: #fff; --problem: #8c1d18; --problem-ground: #fdeceb; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #111418; --card: #1b2027; --line: #343b45; --text: #f0f2f5; --quiet: #c0c6cf; --control: #8b95a3; --accent: #a8c7fa; --on-accent: #062e6f; --problem: #ffb4ab; --problem-ground: #3a1c1b; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 27rem; margin: 0 auto; padding: clamp(1rem, 10vh, 6rem) 1rem 2rem; }
article { padding: 1.75rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; text-wrap: balance; }
p { margin: 0 0 0.75rem; }
article > :last-child, form > :last-child { margin-bottom: 0; }
label { display: block; margin: 1.25rem 0 0.375rem; font-weight: 600; }
input { width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; border: 1px solid var(--control); border-radius: 0.375rem; background: var(--card); color: inherit; font: inherit; }
input[readonly] { border-color: var(--line); background: var(--ground); }
input[aria-invalid] { border: 2px solid var(--problem); }
button { width: 100%; min-height: 2.75rem; margin-top: 1.75rem; padding: 0.5rem 1.25rem; border: 0; border-radius: 0.375rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
form > [type='hidden'] + button { margin-top: 0.75rem; }
button:hover { filter: brightness(1.12); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.hint { margin: 0.375rem 0 0; color: var(--quiet); font-size: 0.9375rem; }
.problem { margin: 0 0 0.5rem; padding: 0.5rem 0.75rem; border-radius: 0.375rem; background: var(--problem-ground); color: var(--problem); font-weight: 600; }
a { color: var(--accent); font-weight: 600; }
ul { margin: 1.25rem 0 0; padding: 0; list-style: none; }
li { padding: 0.75rem 0; border-top: 1px solid var(--line); }
li a { display: block; }
.next { margin-top: 1.25rem; padding-top: 0.75rem; border-top: 1px solid var(--line); color: var(--quiet); }
`;

/** Made in one piece: the policy names the hash of exactly what stands between the tags. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/**
 * Headers that protect the token in a page: the page loads nothing, runs no script, applies only its own style, cannot
 * be framed, and sends its address to no one.
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

/** A page as a response. */
export interface PageAnswer {
  readonly status: number;
  readonly markup: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Why the page refused the request, if it did. */
  readonly refusal?: ErrorCode;
}

/** What the reader can do after a page without a form. */
export function nextStep(text: string): Html {
  return html`<p class="next">${text}</p>`;
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
          <article>
            <h1>${title}</h1>
            ${body}
          </article>
        </main>
      </body>
    </html> `;
  return { status, markup };
}

/** Sends pages. The error filter does not see what a page refuses, so it is counted here. */
@Injectable()
export class PageReplies {
  constructor(private readonly metrics: RefusalMetrics) {}

  async send(reply: FastifyReply, { status, markup, headers = {}, refusal }: PageAnswer): Promise<void> {
    if (refusal !== undefined) this.metrics.refused(refusal);
    await reply
      .status(status)
      .headers({ ...headers, ...PAGE_HEADERS })
      .send(markup);
  }
}
