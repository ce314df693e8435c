import { readFileSync } from 'node:fs';

const { isInRange } = (await import(
  new URL('../../../scripts/prepare/node-version.mjs', import.meta.url).href
)) as { isInRange: (version: string, range: string) => boolean };

const root = new URL('../../../', import.meta.url);
const { engines } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  engines: { node: string };
};

describe('the range of Node.js versions in package.json', () => {
  it.each([
    ['18.20.8', false],
    ['20.19.4', false],
    ['20.19.5', true],
    ['20.20.2', true],
    ['21.7.3', false],
    ['22.14.0', false],
    ['22.15.0', true],
    ['22.23.3', true],
    ['23.11.1', false],
    ['24.0.0', true],
    ['26.10.0', true],
    ['24.0.0-nightly20250101', true],
  ])('with Node.js %s is %s', (version, isAdmitted) => {
    expect(isInRange(version, engines.node)).toBe(isAdmitted);
  });

  it('in the documents names the oldest release of each line that is admitted', () => {
    for (const document of ['README.md', 'docs/quick-start.md']) {
      const text = readFileSync(new URL(document, root), 'utf8').replaceAll(/\s+/g, ' ');
      expect(text).toContain('20.19.5 or a later 20, 22.15 or a later 22, or any release from 24 on');
    }
  });
});

describe('a range of Node.js versions', () => {
  it('with an operator that is not known is an error instead of a guess', () => {
    expect(() => isInRange('24.0.0', '~20.19.5')).toThrow('unknown range of Node.js versions: ~20.19.5');
  });
});
