import { isSigned } from '../../../../src/jobs/hooks/signatures/index.js';
import type { SignatureRule } from '../../../../src/jobs/hooks/signatures/index.js';
import {
  githubHeaders,
  slackHeaders,
  STANDARD_SECRET,
  standardHeadersOf,
  stripeHeaders,
} from '../../../support/provider-signatures.js';
import type { SigningProvider } from '../../../support/provider-signatures.js';

const NOW = new Date('2026-03-01T12:00:00.250Z');
const BODY = '{"id":"evt_1","amount":12345678901234567890,"note":"Grüße, 🌍"}';
const TOLERANCE_SECS = 300;

function ruleOf(format: SignatureRule['format'], header: string): SignatureRule {
  return { format, header, algorithm: 'sha256', toleranceSecs: TOLERANCE_SECS };
}

interface Provider {
  readonly rule: SignatureRule;
  readonly secret: string;
  readonly headersOf: SigningProvider;
  readonly signsTime: boolean;
}

const PROVIDERS: readonly [string, Provider][] = [
  [
    '@octokit/webhooks-methods',
    {
      rule: ruleOf('github', 'x-hub-signature-256'),
      secret: 'It’s a Secret to Everybody',
      headersOf: githubHeaders,
      signsTime: false,
    },
  ],
  [
    'stripe',
    {
      rule: ruleOf('stripe', 'stripe-signature'),
      secret: 'whsec_c3RyaXBlIGRvZXMgbm90IGRlY29kZSB0aGlz',
      headersOf: stripeHeaders,
      signsTime: true,
    },
  ],
  [
    '@slack/bolt',
    {
      rule: ruleOf('slack', 'x-slack-signature'),
      secret: '8f742231b10e8888abcd99yyyzzz85a5',
      headersOf: slackHeaders,
      signsTime: true,
    },
  ],
  [
    'standardwebhooks',
    {
      rule: ruleOf('standard', 'webhook-signature'),
      secret: STANDARD_SECRET,
      headersOf: standardHeadersOf('msg_2KWPBgLlAfxdpx2AI54pPJ85f4W'),
      signsTime: true,
    },
  ],
];

/** Every body that differs from this one in one bit of one byte. */
function alteredBodies(body: Buffer): Buffer[] {
  return Array.from(body, (byte, index) => {
    const altered = Buffer.from(body);
    altered[index] = byte ^ (1 << (index % 8));
    return altered;
  });
}

/** The same text with each character in turn replaced by another of its kind. */
function alteredTexts(text: string): string[] {
  return Array.from(text, (character, index) => {
    const other = character === '1' ? '2' : '1';
    return text.slice(0, index) + other + text.slice(index + 1);
  });
}

describe.each(PROVIDERS)('a request signed by %s', (_name, { rule, secret, headersOf, signsTime }) => {
  const body = Buffer.from(BODY, 'utf8');
  const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

  it('is accepted', async () => {
    const headers = await headersOf(secret, BODY, NOW);
    expect(isSigned({ headers, body }, rule, secret, NOW)).toBe(true);
  });

  it('is accepted with any body', async () => {
    for (const text of [...(signsTime ? [''] : []), '0', '[]', 'a=1&b=2', 'x'.repeat(100_000)]) {
      const headers = await headersOf(secret, text, NOW);
      expect(isSigned({ headers, body: Buffer.from(text) }, rule, secret, NOW)).toBe(true);
    }
  });

  it('is refused if any byte of the body is changed, removed or added', async () => {
    const headers = await headersOf(secret, BODY, NOW);
    const bodies = [...alteredBodies(body), body.subarray(1), body.subarray(0, -1)];
    bodies.push(Buffer.concat([body, Buffer.from(' ')]), Buffer.alloc(0));
    expect(bodies.filter((altered) => isSigned({ headers, body: altered }, rule, secret, NOW))).toEqual([]);
  });

  it('is refused if any character of its headers is changed', async () => {
    const headers = await headersOf(secret, BODY, NOW);
    for (const [name, value] of Object.entries(headers)) {
      const passed = alteredTexts(value).filter((altered) =>
        isSigned({ headers: { ...headers, [name]: altered }, body }, rule, secret, NOW),
      );
      expect([name, passed]).toEqual([name, []]);
    }
  });

  it('is refused if any of its headers is missing', async () => {
    const headers = await headersOf(secret, BODY, NOW);
    for (const name of Object.keys(headers)) {
      const others = Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name));
      expect(isSigned({ headers: others, body }, rule, secret, NOW)).toBe(false);
    }
  });

  it('is refused with another secret, an empty secret and no secret', async () => {
    const headers = await headersOf(secret, BODY, NOW);
    for (const other of [`${secret}x`, 'another secret', '', null])
      expect(isSigned({ headers, body }, rule, other, NOW)).toBe(false);
  });

  it(
    signsTime
      ? 'is refused once it is older than the tolerance, or from further ahead than that'
      : 'is accepted whenever it comes, since its time is not signed',
    async () => {
      const accepted: number[] = [];
      const moments = [-86_400, -301, -300, -1, 0, 1, 300, 301, 86_400];
      for (const seconds of moments) {
        const headers = await headersOf(secret, BODY, at(seconds));
        if (isSigned({ headers, body }, rule, secret, NOW)) accepted.push(seconds);
      }
      expect(accepted).toEqual(signsTime ? [-300, -1, 0, 1, 300] : moments);
    },
  );
});
