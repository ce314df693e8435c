import { redactor } from '../../../src/platform/logging/index.js';

describe('a log line', () => {
  const redact = redactor(['s3cret-one', 's3cret-one-and-more', 'quo"te\\d', 'short']);

  it.each([
    ['a known secret', 'the token is s3cret-one!', 'the token is [redacted]!'],
    ['the longer of two that begin alike', 'x s3cret-one-and-more y', 'x [redacted] y'],
    ['every place of it', 's3cret-one s3cret-one', '[redacted] [redacted]'],
    ['a secret as JSON writes it', JSON.stringify({ a: 'quo"te\\d' }), '{"a":"[redacted]"}'],
    ['a JSON Web Token', 'Bearer eyJhbGciOi.eyJzdWIi.c2ln-_x end', 'Bearer [redacted] end'],
    ['an unsigned JSON Web Token', 'eyJhbGciOi.eyJzdWIi. end', '[redacted] end'],
    ['an API key', 'key svc_a1B2c3D4_0123456789abcdef end', 'key [redacted] end'],
    ['a signing secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw==', '[redacted]'],
  ])('is rid of %s', (_, line, expected) => {
    expect(redact(line)).toBe(expected);
  });

  it('keeps ordinary words, short ones that are secrets somewhere included', () => {
    const line = '{"msg":"a short request to eyJ and svc_ ended","ms":3}';
    expect(redact(line)).toBe(line);
  });
});
