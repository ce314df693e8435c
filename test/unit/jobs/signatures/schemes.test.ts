import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { isSigned } from '../../../../src/jobs/hooks/signatures/index.js';
import type { SignatureAlgorithm, SignatureRule } from '../../../../src/jobs/hooks/signatures/index.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const SECONDS = NOW.getTime() / 1000;
const SECRET = 'a secret';
const BODY = Buffer.from('{"a":1}');
const ALGORITHMS: readonly SignatureAlgorithm[] = ['sha1', 'sha256', 'sha512'];

function ruleOf(format: SignatureRule['format'], more: Partial<SignatureRule> = {}): SignatureRule {
  return { format, header: 'x-signature', algorithm: 'sha256', toleranceSecs: 300, ...more };
}

function hmac(
  content: Buffer | string,
  algorithm: SignatureAlgorithm = 'sha256',
  key: string | Buffer = SECRET,
): Buffer {
  return createHmac(algorithm, key).update(content).digest();
}

/** Whether a request with this header, among others, is accepted. */
function accepts(
  rule: SignatureRule,
  signature: string,
  others: Record<string, string> = {},
  secret = SECRET,
): boolean {
  return isSigned({ headers: { ...others, [rule.header]: signature }, body: BODY }, rule, secret, NOW);
}

describe('the gitlab format', () => {
  it('accepts only the secret itself in the header', () => {
    const rule = ruleOf('gitlab', { header: 'x-gitlab-token' });
    expect(accepts(rule, SECRET)).toBe(true);
    const wrong = ['', 'a secre', 'a secret ', `${SECRET}${SECRET}`, hmac(BODY).toString('hex')];
    expect(wrong.filter((token) => accepts(rule, token))).toEqual([]);
  });

  it('refuses every token if the secret is missing or empty', () => {
    const rule = ruleOf('gitlab', { header: 'x-gitlab-token' });
    const request = { headers: { 'x-gitlab-token': '' }, body: BODY };
    expect([isSigned(request, rule, null, NOW), isSigned(request, rule, '', NOW)]).toEqual([false, false]);
  });
});

describe('the plain format', () => {
  it.each(ALGORITHMS)(
    'accepts %s in hexadecimal of either case and in base64, with or without its name',
    (algorithm) => {
      const rule = ruleOf('plain', { algorithm });
      const digest = hmac(BODY, algorithm);
      const hex = digest.toString('hex');
      const forms = [hex, hex.toUpperCase(), digest.toString('base64')];
      for (const form of forms) {
        expect(accepts(rule, form)).toBe(true);
        expect(accepts(rule, `${algorithm}=${form}`)).toBe(true);
        expect(accepts(rule, `${algorithm.toUpperCase()}=${form}`)).toBe(true);
      }
    },
  );

  it('refuses the digest of another algorithm, whatever name precedes it', () => {
    for (const algorithm of ALGORITHMS)
      for (const other of ALGORITHMS.filter((name) => name !== algorithm)) {
        const rule = ruleOf('plain', { algorithm });
        const hex = hmac(BODY, other).toString('hex');
        expect([hex, `${other}=${hex}`, `${algorithm}=${hex}`].filter((text) => accepts(rule, text))).toEqual(
          [],
        );
        expect(accepts(rule, `${other}=${hmac(BODY, algorithm).toString('hex')}`)).toBe(false);
      }
  });

  it('accepts several signatures if one of them is valid', () => {
    const rule = ruleOf('plain');
    const [right, wrong] = [hmac(BODY).toString('hex'), hmac('other').toString('hex')];
    for (const text of [
      `${wrong},${right}`,
      `${right}, ${wrong}`,
      `sha256=${wrong}, sha256=${right}`,
      `junk,${right}`,
    ])
      expect(accepts(rule, text)).toBe(true);
    expect(accepts(rule, `${wrong},${wrong}`)).toBe(false);
  });

  it.each([
    ['nothing', ''],
    ['a name alone', 'sha256='],
    ['half a digest', hmac(BODY).toString('hex').slice(0, 32)],
    ['a digest and more', `${hmac(BODY).toString('hex')}00`],
    ['text that is neither', 'not a signature'],
    ['base64 of the URL alphabet', hmac(BODY).toString('base64url')],
    ['base64 whose spare bits are set', withSpareBitsSet(hmac(BODY).toString('base64'))],
  ])('refuses %s', (_what, text) => {
    expect(accepts(ruleOf('plain'), text)).toBe(false);
  });
});

/** The same 32 bytes to a decoder that does not look closely. */
function withSpareBitsSet(base64: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const last = base64.length - 2;
  const altered = alphabet[alphabet.indexOf(base64.charAt(last)) ^ 1] ?? '';
  const text = `${base64.slice(0, last)}${altered}=`;
  if (!Buffer.from(text, 'base64').equals(Buffer.from(base64, 'base64')))
    throw new Error('not the same bytes');
  return text;
}

describe('the github format', () => {
  it('accepts the example of GitHub’s documentation', () => {
    // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation
    const headers = {
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    };
    const rule = ruleOf('github', { header: 'x-hub-signature-256' });
    const body = Buffer.from('Hello, World!');
    expect(isSigned({ headers, body }, rule, "It's a Secret to Everybody", NOW)).toBe(true);
  });

  it('accepts the older sha1 in hexadecimal of either case, but only with its name', () => {
    const rule = ruleOf('github', { algorithm: 'sha1' });
    const hex = hmac(BODY, 'sha1').toString('hex');
    expect(accepts(rule, `sha1=${hex}`)).toBe(true);
    expect(accepts(rule, `sha1=${hex.toUpperCase()}`)).toBe(true);
    expect(accepts(rule, hex)).toBe(false);
    expect(accepts(rule, `sha256=${hex}`)).toBe(false);
  });
});

describe('the stripe format', () => {
  const hex = hmac(`${SECONDS}.${BODY.toString()}`).toString('hex');
  const other = hmac('other').toString('hex');

  it.each([
    ['one signature', `t=${SECONDS},v1=${hex}`, true],
    ['the right one among several', `t=${SECONDS},v1=${other},v1=${hex},v0=${other}`, true],
    ['spaces after the commas', `t=${SECONDS}, v1=${hex}`, true],
    ['no timestamp', `v1=${hex}`, false],
    ['two timestamps', `t=${SECONDS},t=${SECONDS},v1=${hex}`, false],
    ['a timestamp that is none', `t=now,v1=${hmac(`now.${BODY.toString()}`).toString('hex')}`, false],
    ['a version that is not v1', `t=${SECONDS},v0=${hex}`, false],
    ['no signature', `t=${SECONDS}`, false],
  ])('judges %s', (_what, header, expected) => {
    expect(accepts(ruleOf('stripe'), header)).toBe(expected);
  });
});

describe('the slack format', () => {
  const hex = hmac(`v0:${SECONDS}:${BODY.toString()}`).toString('hex');
  const sent = { 'x-slack-request-timestamp': String(SECONDS) };

  it.each([
    ['one signature', `v0=${hex}`, true],
    ['the right one among several', `v0=${hmac('other').toString('hex')}, v0=${hex}`, true],
    ['another version', `v1=${hex}`, false],
    ['no version', hex, false],
  ])('judges %s', (_what, signature, expected) => {
    expect(accepts(ruleOf('slack'), signature, sent)).toBe(expected);
  });

  it('refuses an invalid timestamp, even if it is signed', () => {
    const signature = `v0=${hmac(`v0:now:${BODY.toString()}`).toString('hex')}`;
    expect(accepts(ruleOf('slack'), signature, { 'x-slack-request-timestamp': 'now' })).toBe(false);
  });
});

describe('the standard format', () => {
  const rule = ruleOf('standard', { header: 'webhook-signature' });
  const key = Buffer.from('twenty-four bytes or more');
  const secret = `whsec_${key.toString('base64')}`;
  const parts = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(SECONDS) };
  const signed = hmac(`msg_1.${SECONDS}.${BODY.toString()}`, 'sha256', key).toString('base64');
  const other = hmac('other').toString('base64');

  it.each([
    ['one signature', `v1,${signed}`, true],
    ['the right one among several', `v1,${other} v1,${signed} v1a,${other}`, true],
    ['a header that came twice', `v1,${other}, v1,${signed}`, true],
    ['another version', `v2,${signed}`, false],
    ['no version', signed, false],
    ['hexadecimal', `v1,${Buffer.from(signed, 'base64').toString('hex')}`, false],
  ])('judges %s', (_what, signature, expected) => {
    expect(accepts(rule, signature, parts, secret)).toBe(expected);
  });

  it('decodes a secret that begins with whsec_, and uses any other unchanged', () => {
    const asIs = hmac(`msg_1.${SECONDS}.${BODY.toString()}`, 'sha256', 'plain text').toString('base64');
    expect(accepts(rule, `v1,${asIs}`, parts, 'plain text')).toBe(true);
    expect(accepts(rule, `v1,${asIs}`, parts, 'whsec_not base64!')).toBe(false);
    const undecoded = hmac(`msg_1.${SECONDS}.${BODY.toString()}`, 'sha256', secret).toString('base64');
    expect(accepts(rule, `v1,${undecoded}`, parts, secret)).toBe(false);
  });

  it('supports other names for the three headers', () => {
    const svix = ruleOf('standard', { header: 'svix-signature' });
    const renamed = { 'svix-id': 'msg_1', 'svix-timestamp': String(SECONDS) };
    expect(accepts(svix, `v1,${signed}`, renamed, secret)).toBe(true);
    expect(accepts(svix, `v1,${signed}`, parts, secret)).toBe(false);
  });

  it.each(['msg.1', 'order.2026-11-26.', '.'])('takes the id %s with its dots', (id) => {
    const signature = `v1,${hmac(`${id}.${SECONDS}.${BODY.toString()}`, 'sha256', key).toString('base64')}`;
    expect(accepts(rule, signature, { ...parts, 'webhook-id': id }, secret)).toBe(true);
    expect(accepts(rule, signature, { ...parts, 'webhook-id': `${id}x` }, secret)).toBe(false);
    expect(accepts(rule, signature, { ...parts, 'webhook-id': '' }, secret)).toBe(false);
  });

  it('takes a secret in base64 as the libraries do: with or without whsec_, in the URL-safe alphabet, without padding', () => {
    const bytes = Buffer.from('fbffbefbffbefbffbefbffbefbffbefbffbefbffbefbffbe01', 'hex');
    const signature = `v1,${hmac(`msg_1.${SECONDS}.${BODY.toString()}`, 'sha256', bytes).toString('base64')}`;
    const written = [bytes.toString('base64'), bytes.toString('base64url')];
    expect(written[0]).toMatch(/^(?=.*[+])(?=.*\/).*=$/);
    for (const text of written)
      for (const taken of [text, `whsec_${text}`])
        expect([taken, accepts(rule, signature, parts, taken)]).toEqual([taken, true]);
  });

  it('takes any of several secrets, and none of a text with something else in it', () => {
    const next = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    for (const text of [`${next} ${secret}`, `${secret} ${next}`])
      expect(accepts(rule, `v1,${signed}`, parts, text)).toBe(true);
    expect(accepts(rule, `v1,${signed}`, parts, next)).toBe(false);
    expect(accepts(rule, `v1,${signed}`, parts, `${secret} word`)).toBe(false);
    const asWord = hmac(`msg_1.${SECONDS}.${BODY.toString()}`, 'sha256', 'word').toString('base64');
    expect(accepts(rule, `v1,${asWord}`, parts, `${secret} word`)).toBe(false);
  });

  it.each(['whsec_YWJj\n', 'whsec_YWJjZ', 'whsec_YWI==', 'whsec_YW=I', 'whsec_ YWI', 'whsec_'])(
    'has no key of a secret that is none for the libraries: %j',
    (secret) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      const signature = `v1,${hmac(`msg_1.${SECONDS}.${BODY.toString()}`, 'sha256', key).toString('base64')}`;
      expect(accepts(rule, signature, parts, secret)).toBe(false);
    },
  );
});

describe('every format', () => {
  const formats = ['plain', 'github', 'stripe', 'slack', 'standard'] as const;
  const headerText = fc.string({ unit: 'binary-ascii', maxLength: 200 });

  it('refuses everything that was not signed, and never throws', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...formats),
        fc.constantFrom(...ALGORITHMS),
        fc.record({ signature: headerText, id: headerText, timestamp: headerText, slack: headerText }),
        fc.uint8Array({ maxLength: 100 }),
        fc.option(fc.string()),
        (format, algorithm, texts, body, secret) => {
          const headers = {
            'webhook-signature': texts.signature,
            'webhook-id': texts.id,
            'webhook-timestamp': texts.timestamp,
            'x-slack-request-timestamp': texts.slack,
          };
          const rule = ruleOf(format, { algorithm, header: 'webhook-signature' });
          expect(isSigned({ headers, body: Buffer.from(body) }, rule, secret, NOW)).toBe(false);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('accepts only what was signed with the secret that it is checked with', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ALGORITHMS),
        fc.constantFrom('hex', 'base64'),
        fc.string({ minLength: 1 }),
        fc.string({ minLength: 1 }),
        fc.uint8Array({ maxLength: 300 }),
        (algorithm, encoding, secret, other, bytes) => {
          const body = Buffer.from(bytes);
          const rule = ruleOf('plain', { algorithm });
          const headers = { 'x-signature': hmac(body, algorithm, secret).toString(encoding) };
          expect(isSigned({ headers, body }, rule, secret, NOW)).toBe(true);
          // HMAC pads keys with zero bytes, so two that differ in those alone are one.
          const isSameKey = secret.replace(/\0+$/, '') === other.replace(/\0+$/, '');
          if (!isSameKey) expect(isSigned({ headers, body }, rule, other, NOW)).toBe(false);
        },
      ),
    );
  });
});
