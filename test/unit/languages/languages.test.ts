import fc from 'fast-check';
import {
  acceptedLanguage,
  canonicalLocale,
  languageOf,
  LANGUAGES,
} from '../../../src/platform/languages/index.js';

test.each([
  [undefined, null],
  ['', null],
  ['*', null],
  ['*;q=0.5', null],
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE-at', 'de'],
  ['pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
  ['it, fr;q=0.3, es;q=0.7', 'es'],
  ['it', null],
  ['zh-Hant-TW, *;q=0.1', null],
  ['ja;q=0, fr', 'fr'],
  ['en;q=0.1, de;q=abc', 'en'],
  [',,;;,=', null],
  ['x'.repeat(5_000), null],
  [`${'zz,'.repeat(200)}de`, null],
  [`de,${'zz,'.repeat(200)}`, 'de'],
])('Accept-Language %j prefers %j', (header, language) => {
  expect(acceptedLanguage(header)).toBe(language);
});

test('any header yields one of the languages or none', () => {
  const piece = fc.constantFrom('de', 'en-US', '*', ';q=', '0.5', ',', ' ', '"', '\\', 'zz', ';', '=');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8_000 }), (pieces) => {
      expect([null, ...LANGUAGES]).toContain(acceptedLanguage(pieces.join('')));
    }),
    { numRuns: 50 },
  );
});

test.each([
  ['pt-br', 'pt-BR', 'pt'],
  ['DE', 'de', 'de'],
  ['zh-hant-tw', 'zh-Hant-TW', null],
  ['ja-Latn-JP', 'ja-Latn-JP', 'ja'],
])('the tag %s is kept as %s', (tag, canonical, language) => {
  expect(canonicalLocale(tag)).toBe(canonical);
  expect(languageOf(tag)).toBe(language);
});

test.each([
  '',
  'd',
  'en_US',
  'en-',
  '-en',
  'en US',
  'de<script>',
  'x'.repeat(36),
  `en-${'a'.repeat(8)}`.repeat(9),
])('%j is no language tag', (tag) => {
  expect(canonicalLocale(tag)).toBeNull();
  expect(languageOf(tag)).toBeNull();
});
