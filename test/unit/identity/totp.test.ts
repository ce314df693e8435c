import { generateSync } from 'otplib';
import { TOTP } from 'totp-generator';
import { enrolmentOf, newTotpSecret, stepOf } from '../../../src/identity/factors/totp.js';

/** RFC 6238, appendix B: of HMAC-SHA-1, with this secret; the last 6 of the 8 digits (RFC 4226, section 5.3). */
const RFC_SECRET = Buffer.from('12345678901234567890');
const RFC_VECTORS = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const;

const PERIOD_SECS = 30;

function at(secs: number): Date {
  return new Date(secs * 1000);
}

describe('a time-based one-time password', () => {
  it.each(RFC_VECTORS)('of %d seconds is the one of RFC 6238', (secs, code) => {
    expect(stepOf(RFC_SECRET, code.slice(-6), at(secs))).toBe(Math.floor(secs / PERIOD_SECS));
  });

  it('is accepted one step before and after its own, which it tells, and no further', () => {
    const code = '287082';
    const steps = [-2, -1, 0, 1, 2].map((away) => stepOf(RFC_SECRET, code, at(59 + away * PERIOD_SECS)));
    expect(steps).toEqual([null, 1, 1, 1, null]);
  });

  it('has six digits and nothing else', () => {
    for (const code of [
      '',
      '28708',
      '2870820',
      ' 287082',
      '28708２',
      '２８７０８２',
      '-87082',
      '2870e2',
      '94287082',
    ])
      expect(stepOf(RFC_SECRET, code, at(59))).toBeNull();
  });

  it('is what authenticator applications show that take the key of the enrolment', async () => {
    const now = new Date();
    const secret = newTotpSecret();
    const enrolment = enrolmentOf(secret, { issuer: 'service.example.com', account: 'ana+work@example.com' });
    const timestamp = now.getTime();
    const shown = [
      generateSync({ secret: enrolment.secret, epoch: timestamp / 1000 }),
      (await TOTP.generate(enrolment.secret, { timestamp })).otp,
    ];
    const step = Math.floor(timestamp / 1000 / PERIOD_SECS);
    expect(shown.map((code) => stepOf(secret, code, now))).toEqual([step, step]);
  });

  it('has an address for applications that names issuer and account, escaped, and the parameters', () => {
    const { uri, secret, qrSvg } = enrolmentOf(RFC_SECRET, {
      issuer: 'service.example.com',
      account: 'a&b=c?d#e@example.com',
    });
    const parsed = new URL(uri);
    expect(`${parsed.protocol}//${parsed.host}`).toBe('otpauth://totp');
    expect(decodeURIComponent(parsed.pathname.slice(1))).toBe('service.example.com:a&b=c?d#e@example.com');
    expect(Object.fromEntries(parsed.searchParams)).toEqual({
      issuer: 'service.example.com',
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
    expect(secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(qrSvg).toMatch(/^<svg [^>]*>.*<\/svg>$/s);
    expect(qrSvg).not.toMatch(/script|href|style=/i);
  });
});
