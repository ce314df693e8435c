import fc from 'fast-check';
import { NO_BRAND } from '../../../src/identity/brand/index.js';
import { html } from '../../../src/identity/pages/html.js';
import { page, PageView } from '../../../src/identity/pages/index.js';
import {
  brandColor,
  contrast,
  httpsUrl,
  readable,
  supportUrl,
  textOn,
} from '../../../src/platform/brand/index.js';

const COLOR = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('colours', () => {
  it('have the contrast that WCAG defines', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(contrast('#0000ff', '#ffffff')).toBeCloseTo(8.59, 2);
  });

  it('of every button carry text that can be read', () => {
    fc.assert(
      fc.property(COLOR, (color) => {
        expect(contrast(textOn(color), color)).toBeGreaterThanOrEqual(4.5);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['light', ['#ffffff', '#f6f7f9']],
    ['dark', ['#171b23', '#11141a']],
  ] as const)(
    'of links reach 7:1 on everything behind them, %s, and stay where they do already',
    (_, backgrounds) => {
      fc.assert(
        fc.property(COLOR, (color) => {
          const shade = readable(color, backgrounds, 7);
          for (const background of backgrounds) expect(contrast(shade, background)).toBeGreaterThanOrEqual(7);
          expect(readable(shade, backgrounds, 7)).toBe(shade);
        }),
        { numRuns: 1_000 },
      );
    },
  );
});

test.each(['red', '#fff', '#12345g', '#0842a0;', '#0842a0 ', 'url(#x)', 'var(--x)', ''])(
  '%j is no colour of a brand',
  (text) => {
    expect(brandColor(text)).toBeNull();
  },
);

test.each([
  'http://example.com/logo.png',
  'javascript:alert(1)',
  'data:image/png;base64,AAAA',
  '//example.com/logo.png',
  'https://user@example.com/',
  'https://user:password@example.com/',
  'https://a;script-src *',
  'https://a;script-src/logo.png',
  "https://exa'mple.com/logo.png",
  'https://*.example.com/logo.png',
  'https://a,b/logo.png',
  'https://[::1]/logo.png',
  'https:example.com',
  'https://example.com/\nSet-Cookie: a=b',
  `https://example.com/${'a'.repeat(1_100)}`,
])('%j is no address of a logo', (text) => {
  expect(httpsUrl(text)).toBeNull();
});

test.each([
  ['https://EXAMPLE.com', 'https://example.com/'],
  ['https://cdn.example.com:8443/a b'.replace(' ', '%20'), 'https://cdn.example.com:8443/a%20b'],
  ['https://bücher.example/logo.png', 'https://xn--bcher-kva.example/logo.png'],
  ['https://example.com/"><script>', 'https://example.com/%22%3E%3Cscript%3E'],
])('the address %s is kept as %s', (text, kept) => {
  expect(httpsUrl(text)).toBe(kept);
});

test.each([
  ['mailto:help@example.com', 'mailto:help@example.com'],
  ['MAILTO:help@example.com', 'mailto:help@example.com'],
  ['mailto:help@example.com?bcc=a@b.c', null],
  ['mailto:help@example.com,other@example.com', null],
  ['tel:1', null],
  ['javascript:alert(1)//https://example.com', null],
  ['https://example.com/help', 'https://example.com/help'],
])('the help address %s is kept as %s', (text, kept) => {
  expect(supportUrl(text)).toBe(kept);
});

describe('a page with a brand', () => {
  const brand = {
    name: '"><script>alert(1)</script> \u202Eevil',
    logoUrl: 'https://cdn.example.com/logo.png',
    color: '#ffcc00',
    supportUrl: 'mailto:help@example.com',
  };

  it('lets the browser load the logo from its origin alone, and nothing else', () => {
    const { headers, markup } = page(new PageView('de', brand), 200, 'Titel', html`<p>Text</p>`);
    const policy = headers['Content-Security-Policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('img-src https://cdn.example.com;');
    expect(policy).not.toContain('script-src');
    expect(markup).toContain('<html lang="de">');
    expect(markup).not.toContain('<script');
    expect(markup).toContain('<a href="mailto:help@example.com">Hilfe</a>');
  });

  it('without one loads nothing at all', () => {
    const { headers } = page(new PageView('en', NO_BRAND), 200, 'Title', html`<p>Text</p>`);
    expect(headers['Content-Security-Policy']).not.toContain('img-src');
  });
});
