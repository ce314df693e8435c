import { readFileSync } from 'node:fs';
import { ERROR_CODES } from '../../../src/http/errors/error-codes.js';
import { renderErrorReference } from '../../../src/http/errors/error-reference.js';

const reference = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');

describe('docs/errors.md', () => {
  it('is what npm run docs:errors makes of the registered codes', () => {
    expect(reference).toBe(renderErrorReference());
  });

  it('names every code with its status', () => {
    for (const [code, { status }] of Object.entries(ERROR_CODES)) {
      expect(reference).toMatch(new RegExp(`^\\| \`${code}\` +\\| ${status} `, 'm'));
    }
  });
});
