import { PlainTemplate, TemplateError } from '../../../src/platform/mail/index.js';

const variables = ['link', 'token', 'email', 'project'];
const values = { link: 'https://id.example.com/p?a=1&b=2', token: 't', email: `"<i>"@x.org`, project: '' };

function rendered(source: string, isHtml = false): string {
  return PlainTemplate.parse(source, { variables, isHtml }).render(values);
}

test.each([
  ['Hello {{email}}', 'Hello "<i>"@x.org'],
  ['{{{link}}} {{& link}}', 'https://id.example.com/p?a=1&b=2 https://id.example.com/p?a=1&b=2'],
  ['a {{~ token ~}} b', 'atb'],
  ['{{#if project}}for {{project}}{{else}}for nobody{{/if}}', 'for nobody'],
  ['{{#unless project}}none{{/unless}}', 'none'],
  ['{{#if project}}1{{else if token}}2{{else}}3{{/if}}', '2'],
  ['{{! a remark }}{{!-- another {{link}} --}}x', 'x'],
  ['no variable: { {x} } \\{{link}}', 'no variable: { {x} } {{link}}'],
])('renders %j as text', (source, text) => {
  expect(rendered(source)).toBe(text);
});

test('values are escaped in HTML, the template itself is not', () => {
  expect(rendered('<a href="{{link}}">{{email}}</a>', true)).toBe(
    '<a href="https://id.example.com/p?a&#x3D;1&amp;b&#x3D;2">&quot;&lt;i&gt;&quot;@x.org</a>',
  );
});

test.each([
  ['{{#if link}}', 'does not compile'],
  ['{{link', 'does not compile'],
  ['{{/if}}', 'does not compile'],
  ['{{password}}', 'has only the variables'],
  ['{{this}}', 'has only the variables'],
  ['{{../link}}', 'has only the variables'],
  ['{{@root.link}}', 'has only the variables'],
  ['{{link.constructor}}', 'has only the variables'],
  ['{{constructor}}', 'has only the variables'],
  ['{{__proto__}}', 'has only the variables'],
  ['{{"link"}}', 'has only the variables'],
  ['{{lookup this "constructor"}}', 'has no helpers'],
  ['{{link a=1}}', 'has no helpers'],
  ['{{#each link}}x{{/each}}', 'has no blocks'],
  ['{{#with link}}x{{/with}}', 'has no blocks'],
  ['{{#if (lookup . "x")}}x{{/if}}', 'has only the variables'],
  ['{{> partial}}', 'may hold'],
  ['{{#> layout}}x{{/layout}}', 'may hold'],
  ['{{#*inline "x"}}y{{/inline}}', 'may hold'],
])('refuses %j: it %s', (source, reason) => {
  expect(() => rendered(source)).toThrow(TemplateError);
  expect(() => rendered(source)).toThrow(reason);
});

test('unescaped values are refused in HTML', () => {
  for (const source of ['{{{link}}}', '{{& link}}', '{{#if link}}{{{email}}}{{/if}}'])
    expect(() => rendered(source, true)).toThrow('must escape');
});

test('a template with more places in braces than any mail has is refused before it is parsed', () => {
  const nested = (depth: number): string => '{{#if link}}'.repeat(depth) + '{{/if}}'.repeat(depth);
  expect(rendered(nested(50))).toBe('');
  expect(() => rendered(nested(51))).toThrow('more than 100 places');
});
