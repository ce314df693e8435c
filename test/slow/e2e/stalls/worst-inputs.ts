/** A way to fill a text, of which so many bytes are wanted. */
interface Filling {
  readonly name: string;
  readonly unit: string;
  readonly before?: string;
  readonly after?: string;
  /** Whether already some hundred characters of it would be bad. */
  readonly isShort?: boolean;
}

/** What some known pattern, normalisation or parser takes more than linear time for. */
const FILLINGS: readonly Filling[] = [
  { name: 'combining marks out of order', before: 'a', unit: '\u0315\u0300\u05ae\u0f71' },
  { name: 'Hangul that composes', unit: '\u1100\u1161\u11a8' },
  { name: 'a domain in Chinese', before: 'a@', unit: '漢字' },
  { name: 'a domain in Hebrew', before: 'a@', unit: 'אב' },
  { name: 'a domain of many labels', before: 'a@', unit: 'ä.' },
  { name: 'digits', unit: '9' },
  { name: 'letters and an end that no pattern takes', unit: 'a', after: '!', isShort: true },
  { name: 'letters and hyphens', unit: 'a-', after: '!', isShort: true },
  { name: 'letters and dots', unit: 'a.', after: '!', isShort: true },
  { name: 'white space and an end', before: 'a', unit: ' ', after: 'x' },
  { name: 'line breaks and an end', before: 'x', unit: '\n', after: 'x{{#if link}}{{link}}{{/if}}' },
  { name: 'fields of cron', unit: '*/1,', after: '* * * *' },
  { name: 'permissions', unit: '*:', after: '!' },
  { name: 'slashes', before: '/hooks/', unit: 'a/' },
  { name: 'braces', unit: '{{', after: '}}' },
  { name: 'words in braces', before: '{{link ', unit: 'a ', after: '}}' },
  { name: 'halves of surrogate pairs', unit: '\ud800' },
  { name: 'NULs', unit: '\0', isShort: true },
  { name: 'escapes', unit: '%41' },
  { name: 'beginnings of tokens', unit: 'eyJ', after: '.' },
];

function filled(
  { unit, before = '', after = '' }: Filling,
  bytes: number,
  sizeOf: (text: string) => number,
): string {
  const count = Math.max(1, Math.floor((bytes - sizeOf(before + after)) / sizeOf(unit)));
  return before + unit.repeat(count) + after;
}

function sizeInJson(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

/** The worst texts, each as long as fits into so many bytes of JSON. */
export function worstTexts(bytes: number): [name: string, text: string][] {
  return FILLINGS.map((filling) => [filling.name, filled(filling, bytes, sizeInJson)]);
}

/** The same in a URL, encoded. Lone surrogates have no encoding. In a short one only what can be bad there. */
export function worstInUrl(bytes: number): [name: string, text: string][] {
  const isBad = ({ unit, isShort = false }: Filling): boolean =>
    unit.isWellFormed() && (isShort || bytes > 1000);
  return FILLINGS.filter(isBad).map((filling) => [
    filling.name,
    encodeURIComponent(filled(filling, bytes, (text) => encodeURIComponent(text).length)),
  ]);
}

/** The same in a header: what Latin-1 has of it. */
export function worstInHeader(bytes: number): [name: string, text: string][] {
  return FILLINGS.filter(({ unit }) => /^[\x20-\x7e]+$/.test(unit)).map((filling) => [
    filling.name,
    filled({ ...filling, after: '' }, bytes, (text) => text.length).trim(),
  ]);
}

function joined(count: number, part: (index: number) => string, [open, close]: string): string {
  return `${open}${Array.from({ length: count }, (_, index) => part(index)).join(',')}${close}`;
}

/** The worst lists and objects, as JSON text of up to so many bytes. */
export function worstShapes(bytes: number): [name: string, json: string][] {
  const name = (index: number): string => index.toString(36).padStart(4, 'k');
  return [
    ['many names, each another', joined(Math.floor(bytes / 9), (index) => `"${name(index)}":0`, '{}')],
    ['many numbers', joined(Math.floor(bytes / 2), () => '1', '[]')],
    ['many texts', joined(Math.floor(bytes / 3), () => '""', '[]')],
    ['many empty objects', joined(Math.floor(bytes / 3), () => '{}', '[]')],
    ['many objects, each another', joined(Math.floor(bytes / 11), (index) => `{"${name(index)}":0}`, '[]')],
    ['many texts that cannot be stored', joined(Math.floor(bytes / 9), () => '"\\u0000"', '[]')],
    [
      'lists in lists',
      `${'['.repeat(95)}${joined(Math.floor(bytes / 2) - 200, () => '1', '[]')}${']'.repeat(95)}`,
    ],
    [
      'objects in objects',
      `${'{"a":'.repeat(95)}${joined(Math.floor(bytes / 9) - 100, (index) => `"${name(index)}":0`, '{}')}${'}'.repeat(95)}`,
    ],
    ['names of every object', '{"constructor":{"name":1},"toString":1,"hasOwnProperty":1,"then":1}'],
  ];
}
