import { IntlMessageFormat } from 'intl-messageformat';
import { CATALOGUES, Messages } from '../../../src/identity/languages/index.js';
import type { MessageKey } from '../../../src/identity/languages/index.js';
import { builtInTemplate } from '../../../src/identity/mail-templates/index.js';
import { LANGUAGES } from '../../../src/platform/languages/index.js';

const KEYS = Object.keys(CATALOGUES.en) as MessageKey[];

type Element = ReturnType<IntlMessageFormat['getAst']>[number];

/** The arguments of a message by name and type, and how often its tags occur. */
function argumentsOf(message: string): string[] {
  const found: string[] = [];
  const walk = (elements: readonly Element[]): void => {
    for (const element of elements) {
      if ('value' in element && String(element.type) !== '0') found.push(`${element.type} ${element.value}`);
      if ('children' in element) walk(element.children);
      if ('options' in element) for (const option of Object.values(element.options)) walk(option.value);
    }
  };
  walk(new IntlMessageFormat(message, 'en').getAst());
  return [...new Set(found)].sort();
}

describe.each(LANGUAGES)('the catalogue in %s', (language) => {
  const catalogue = CATALOGUES[language];

  it('has every message, each with the arguments that it has in English', () => {
    expect(Object.keys(catalogue).sort()).toEqual([...KEYS].sort());
    const differing = KEYS.filter(
      (key) => argumentsOf(catalogue[key]).join() !== argumentsOf(CATALOGUES.en[key]).join(),
    );
    expect(differing).toEqual([]);
  });

  it('has nothing that means something in HTML or in a template, and no straight apostrophe before a brace', () => {
    const mails = KEYS.filter((key) => !key.startsWith('page.'));
    expect(mails.filter((key) => /[<>&"]|\{\{/.test(catalogue[key]))).toEqual([]);
    expect(KEYS.filter((key) => /'[{}<>]/.test(catalogue[key]))).toEqual([]);
    expect(KEYS.filter((key) => catalogue[key].trim() !== catalogue[key] || catalogue[key] === '')).toEqual(
      [],
    );
  });

  it('says in HTML what it says in text, and only that a copied address works besides', () => {
    const variables = ['link', 'token', 'email', 'org', 'role', 'inviter', 'brand', 'support_url'];
    for (const name of [
      'verification',
      'recovery',
      'magic_link',
      'invite',
      'email_change',
      'notice',
    ] as const) {
      const { html, text } = builtInTemplate(name, language, variables);
      expect(html).toContain('<html lang="{{locale}}">');
      const body = html.slice(html.indexOf('<body')).replaceAll(/<[^>]+>/g, '');
      const words = text
        .split('\n')
        .map((line) =>
          line
            .replace(/\{\{#if support_url\}\}.*/, '')
            .replace(/:$/, '')
            .trim(),
        )
        .filter((line) => line !== '' && !line.includes('support_url}}'));
      for (const line of words) expect(body).toContain(line);
    }
  });
});

it('languages other than English say something else in almost every message', () => {
  for (const language of LANGUAGES.filter((one) => one !== 'en')) {
    const same = KEYS.filter((key) => CATALOGUES[language][key] === CATALOGUES.en[key]);
    expect([language, same]).toEqual([language, []]);
  }
});

it('durations and plurals are those of the language', () => {
  const day = { amount: 1, unit: 'day' } as const;
  expect(LANGUAGES.map((language) => Messages.in(language).duration(day))).toEqual([
    '1 day',
    '1 Tag',
    '1\u00A0jour',
    '1 día',
    '1 dia',
    '1 日',
  ]);
  expect(Messages.in('fr').text('page.field.length', { minLength: 8 })).toBe('Au moins 8 caractères.');
  expect(Messages.in('en').text('page.field.length', { minLength: 1 })).toBe('At least 1 character.');
});

it('arguments are never read as a message', () => {
  const hostile = "{email} '{x}' <b>bold</b> # {n, plural, other {#}}";
  expect(Messages.in('de').text('mail.magic_link.subject', { brand: hostile })).toBe(
    `Anmeldung bei ${hostile}`,
  );
});
