import { readFileSync } from 'node:fs';
import { FINDING_CODES } from '../../../src/cli/operator/doctor/finding-codes.js';

const guide = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
const section = /^## The doctor$.*?(?=^## )/ms.exec(guide)?.[0] ?? '';

describe('the section of docs/operating.md about the doctor', () => {
  it('lists the code of every finding, and no other', () => {
    const listed = new Set([...section.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, code]) => code));
    expect([...listed].sort()).toEqual([...FINDING_CODES].sort());
  });
});
