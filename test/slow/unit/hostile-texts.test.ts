import fc from 'fast-check';
import { acceptedLanguage } from '../../../src/platform/languages/index.js';
import { redirectUrlProblem } from '../../../src/platform/redirects/index.js';

test('any Accept-Language is read in less than a millisecond or so', () => {
  const piece = fc.constantFrom('de', 'en-US', '*', ';q=', '0.5', ',', ' ', '"', '\\', 'zz', ';', '=');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8_000 }), (pieces) => {
      const began = performance.now();
      acceptedLanguage(pieces.join(''));
      expect(performance.now() - began).toBeLessThan(250);
    }),
    { numRuns: 50 },
  );
});

test('the longest of URLs is judged at once', () => {
  const started = performance.now();
  for (const unit of ['a', '/', '%', '.', '-', '&', ';', '%2', 'a.'])
    redirectUrlProblem(`https://app.example.com/?${unit.repeat(2000)}`.slice(0, 2048));
  for (const unit of ['a', '-', 'a.', 'a-'])
    redirectUrlProblem(`https://${unit.repeat(2000)}`.slice(0, 2048));
  expect(performance.now() - started).toBeLessThan(200);
});
