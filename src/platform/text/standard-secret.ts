// Secrets of Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

export const STANDARD_PREFIX = 'whsec_';
/** In either alphabet (RFC 4648, sections 4 and 5). */
const BASE64 = /^([A-Za-z0-9+/_-]+)(={0,2})$/;
/** What was meant for one: with blanks around it, or as some consoles show it, with the version of the signature before it. */
const MEANT = /^\s*(?:v1,)?\s*whsec_/;

/** The bytes of a base64 text of either alphabet, with or without its padding; null for any other text. */
export function base64Bytes(text: string): Buffer | null {
  const [, digits = '', padding = ''] = BASE64.exec(text) ?? [];
  // Four digits are three bytes. A single one that is left over is none.
  const isWhole = digits.length % 4 !== 1 && (padding === '' || (digits.length + padding.length) % 4 === 0);
  return digits !== '' && isWhole ? Buffer.from(digits, 'base64') : null;
}

/** Each of them is tried for a signature, or signs. */
const MAX_SECRETS = 4;

/** The secrets in a text: one, or several with a space between them while one replaces another. */
export function standardSecretsIn(text: string): string[] {
  return text.split(' ');
}

/** Why a secret that begins with `whsec_`, or nearly so, verifies nothing; null for any that may. */
export function standardSecretProblem(secret: string): string | null {
  if (!MEANT.test(secret)) return null;
  const secrets = standardSecretsIn(secret);
  const areSecrets = secrets.every(
    (one) => one.startsWith(STANDARD_PREFIX) && base64Bytes(one.slice(STANDARD_PREFIX.length)) !== null,
  );
  return areSecrets && secrets.length <= MAX_SECRETS
    ? null
    : 'must be whsec_ and base64, with nothing before or after them, not even a line end; or two to four of these with one ' +
        'space between them';
}
