import { createHash } from 'node:crypto';
import { createCodeProof, takeCode } from '../../../client/src/index.js';

function pageAt(href: string): { page: Parameters<typeof takeCode>[0]; shown: () => string } {
  let current = href;
  const state = { scroll: 7 };
  return {
    page: {
      location: { href },
      history: {
        state,
        replaceState: (kept: unknown, _unused: string, url: string) => {
          expect(kept).toBe(state);
          current = url;
        },
      },
    },
    shown: () => current,
  };
}

test('a proof is a verifier of 43 characters, new each time, and the S256 challenge of it', async () => {
  const [first, second] = [await createCodeProof(), await createCodeProof()];
  expect(first.code_verifier).toMatch(/^[\w-]{43}$/);
  expect(first.code_verifier).not.toBe(second.code_verifier);
  expect(first.code_challenge).toBe(createHash('sha256').update(first.code_verifier).digest('base64url'));
});

test('the code leaves the address, and everything else in it stays', () => {
  const { page, shown } = pageAt('https://app.example.com/welcome?tab=1&code=abc_-1#top');
  expect(takeCode(page)).toBe('abc_-1');
  expect(shown()).toBe('https://app.example.com/welcome?tab=1#top');
});

test('an address without a code stays as it is', () => {
  const { page, shown } = pageAt('https://app.example.com/welcome?tab=1');
  expect(takeCode(page)).toBeNull();
  expect(shown()).toBe('https://app.example.com/welcome?tab=1');
});
