import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { PAGE_HEADERS } from '../../http/index.js';
import type { ErrorCode, Origin } from '../../http/index.js';
import { sha256 } from '../../platform/crypto/index.js';
import { RefusalMetrics } from '../../platform/metrics/index.js';
import { accentOn, buttonColors } from '../brand/index.js';
import type { Brand } from '../brand/index.js';
import type { RealmId } from '../users/user.repository.js';
import { Html, html } from './html.js';
import { PageViews } from './page-view.js';
import type { PageView } from './page-view.js';

/**
 * The colours, type and spacing are those of the console's sign-in (console/src/styles.css, theme.ts), as far as the
 * following allows: both themes keep text at 7:1 and the borders of controls at 3:1 against what is behind them (WCAG 2.2, 1.4.6 and
 * 1.4.11), and show where the focus is.
 */
const STYLE = `
:root { color-scheme: light dark; --ground: #f6f7f9; --card: #fff; --line: #e3e6eb; --text: #1a1e27; --quiet: #474e5c; --control: #6f7788; --accent: #3449ad; --button: #3449ad; --on-button: #fff; --button-line: transparent; --problem: #8c1d18; --problem-ground: #fdeaea; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #11141a; --card: #171b23; --line: #262c37; --text: #e6e9ef; --quiet: #b8bdc9; --control: #7d8698; --accent: #9bacee; --button-line: #7289e2; --problem: #ffb4ab; --problem-ground: #3b1a1c; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; background: var(--ground); color: var(--text); font: 0.9375rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; -webkit-font-smoothing: antialiased; }
main { max-width: 25.75rem; margin: 0 auto; padding: clamp(1.5rem, 14vh, 8.75rem) 1rem 1.5rem; }
article { padding: 1.875rem 1.75rem 1.75rem; border: 1px solid var(--line); border-radius: 0.875rem; background: var(--card); overflow-wrap: anywhere; }
header { margin: 0 0 1rem; font-size: 1.0625rem; font-weight: 600; text-align: center; overflow-wrap: anywhere; }
header img { display: inline-block; height: 2.5rem; max-width: 100%; object-fit: contain; vertical-align: middle; }
footer { margin: 1rem 0 0; text-align: center; font-size: 0.875rem; }
h1 { margin: 0 0 0.75rem; font-size: 1.375rem; font-weight: 620; line-height: 1.3; text-wrap: balance; }
p { margin: 0 0 0.75rem; }
article > :last-child, form > :last-child { margin-bottom: 0; }
label { display: block; margin: 1rem 0 0.25rem; font-size: 0.875rem; font-weight: 600; }
input { width: 100%; min-height: 2.5rem; padding: 0.4375rem 0.75rem; border: 1px solid var(--control); border-radius: 0.4375rem; background: var(--card); color: inherit; font: inherit; }
input[readonly] { border-color: var(--line); background: var(--ground); }
input[aria-invalid] { border: 2px solid var(--problem); }
button { width: 100%; min-height: 2.5rem; margin-top: 1.5rem; padding: 0.4375rem 1.25rem; border: 1px solid var(--button-line); border-radius: 0.4375rem; background: var(--button); color: var(--on-button); font: inherit; font-weight: 600; cursor: pointer; }
form > [type='hidden'] + button { margin-top: 0.75rem; }
button:hover { text-decoration: underline; text-underline-offset: 0.2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.hint { margin: 0.375rem 0 0; color: var(--quiet); font-size: 0.875rem; }
.problem { margin: 0 0 0.5rem; padding: 0.5rem 0.75rem; border-radius: 0.4375rem; background: var(--problem-ground); color: var(--problem); font-weight: 600; }
a { color: var(--accent); font-weight: 600; }
ul { margin: 1.25rem 0 0; padding: 0; list-style: none; }
li { padding: 0.75rem 0; border-top: 1px solid var(--line); }
li a { display: block; }
.next { margin-top: 1.25rem; padding-top: 0.75rem; border-top: 1px solid var(--line); color: var(--quiet); }
`;

/** Made in one piece: the policy names the hash of exactly what stands between the tags. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/** What lies behind text and focus rings in each theme. */
const BACKGROUNDS = { light: ['#ffffff', '#f6f7f9'], dark: ['#171b23', '#11141a'] } as const;

/** The colours of a brand, which are checked; null for the built-in ones. */
function brandStyle(brand: Brand): string | null {
  if (brand.color === null) return null;
  const { color, textColor } = buttonColors(brand);
  const accents = { light: accentOn(color, BACKGROUNDS.light), dark: accentOn(color, BACKGROUNDS.dark) };
  const shown = (accent: string): string =>
    `:root { --accent: ${accent}; --button: ${color}; --on-button: ${textColor}; --button-line: ${accent}; }`;
  return `${shown(accents.light)}\n@media (prefers-color-scheme: dark) { ${shown(accents.dark)} }`;
}

function hashOf(style: string): string {
  return `'sha256-${sha256(style).toString('base64')}'`;
}

/**
 * Headers that protect the token in a page: the page loads nothing but the logo, runs no script, applies only its own
 * style, cannot be framed, is not stored, and sends its address to no one.
 */
export function pageHeaders(brand: Brand): Readonly<Record<string, string>> {
  const style = brandStyle(brand);
  const images = brand.logoUrl === null ? [] : [`img-src ${new URL(brand.logoUrl).origin}`];
  return {
    ...PAGE_HEADERS,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src ${[STYLE, ...(style === null ? [] : [style])].map(hashOf).join(' ')}`,
      ...images,
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Robots-Tag': 'noindex',
  };
}

/** A page as a response. */
export interface PageAnswer {
  readonly status: number;
  readonly markup: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Where its form may end besides this service, as a source of the Content-Security-Policy. */
  readonly formTarget?: string;
  /** Why the page refused the request, if it did. */
  readonly refusal?: ErrorCode;
}

/** What the reader can do after a page without a form. */
export function nextStep(text: string): Html {
  return html`<p class="next">${text}</p>`;
}

function headOf({ name, logoUrl }: Brand): Html | null {
  if (logoUrl !== null)
    return html`<header><img src="${logoUrl}" alt="${name ?? ''}" height="40" /></header>`;
  return name === null ? null : html`<header><bdi>${name}</bdi></header>`;
}

/** @param title as plain text, and how it is shown where names stand in it */
export function page(view: PageView, status: number, title: string, body: Html, heading?: Html): PageAnswer {
  const { brand, language } = view;
  const style = brandStyle(brand);
  const { markup } = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${STYLE_ELEMENT}${style === null ? null : new Html(`<style>${style}</style>`)}
      </head>
      <body>
        <main>
          ${headOf(brand)}
          <article>
            <h1>${heading ?? title}</h1>
            ${body}
          </article>
          ${
            brand.supportUrl === null
              ? null
              : html`<footer><a href="${brand.supportUrl}">${view.text('page.help')}</a></footer>`
          }
        </main>
      </body>
    </html> `;
  return { status, markup, headers: pageHeaders(brand) };
}

/** Browsers apply `form-action` to the redirect that answers a form as well. */
function withFormTarget(
  headers: Readonly<Record<string, string>>,
  formTarget: string | undefined,
): Readonly<Record<string, string>> {
  if (formTarget === undefined) return headers;
  const policy = headers['Content-Security-Policy'] ?? '';
  return {
    ...headers,
    'Content-Security-Policy': policy.replace("form-action 'self'", () => `form-action 'self' ${formTarget}`),
  };
}

/** Answers requests for pages. The error filter does not see what a page refuses, so it is counted here. */
@Injectable()
export class PageReplies {
  constructor(
    private readonly views: PageViews,
    private readonly metrics: RefusalMetrics,
  ) {}

  /** @param realmId null where the address names no realm */
  async answer(
    reply: FastifyReply,
    realmId: RealmId | null,
    origin: Origin,
    of: (view: PageView) => Promise<PageAnswer>,
  ): Promise<void> {
    const view = await this.views.of(realmId, origin);
    const { status, markup, headers, formTarget, refusal } = await of(view);
    if (refusal !== undefined) this.metrics.refused(refusal);
    await reply
      .status(status)
      .headers({ ...withFormTarget(headers, formTarget), Vary: 'Accept-Language' })
      .send(markup);
  }
}
