import { createHmac } from 'node:crypto';
import { fromBase64, fromHex, headerOf, textKey, textKeys, secondsOf } from './signature-scheme.js';
import type { SignatureScheme } from './signature-scheme.js';
import { SIGNATURE_VERSION, standardContent, standardKeys } from '../../signing/index.js';

const PREFIXED = /^(sha1|sha256|sha512)=(.+)$/i;

/**
 * HMAC over the body, in hexadecimal or base64, optionally with the name of the algorithm before it. Several signatures
 * are separated by commas.
 */
export const plain: SignatureScheme = {
  keysOf: textKeys,
  read(request, { header, algorithm }) {
    const signatures = headerOf(request, header)
      .split(/[\s,]+/)
      .flatMap((part) => {
        const [, named, rest] = PREFIXED.exec(part) ?? [];
        if (named !== undefined && named.toLowerCase() !== algorithm) return [];
        const text = rest ?? part;
        return [...fromHex(text, algorithm), ...fromBase64(text, algorithm)];
      });
    return { content: request.body, signatures, signedAt: 'unsigned' };
  },
};

/** `sha256=<hex>` over the body (https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries). */
export const github: SignatureScheme = {
  keysOf: textKeys,
  read(request, { header, algorithm }) {
    const parts = headerOf(request, header).split(/[\s,]+/);
    const signatures = valuesOf(parts, `${algorithm}=`).flatMap((text) => fromHex(text, algorithm));
    return { content: request.body, signatures, signedAt: 'unsigned' };
  },
};

/** Signed with the received token and with the expected one: equal digests mean equal tokens. */
const GITLAB_CONTENT = Buffer.from('X-Gitlab-Token');

/**
 * The secret itself, in a header (https://docs.gitlab.com/user/project/integrations/webhooks/#validate-payloads-by-using-a-secret-token).
 * GitLab signs nothing: the body is only as safe as the TLS connection.
 */
export const gitlab: SignatureScheme = {
  keysOf: textKeys,
  read(request, { header, algorithm }) {
    const token = headerOf(request, header);
    const digest = createHmac(algorithm, textKey(token)).update(GITLAB_CONTENT).digest();
    return { content: GITLAB_CONTENT, signatures: token === '' ? [] : [digest], signedAt: 'unsigned' };
  },
};

/** `t=<seconds>,v1=<hex>,…` over `<seconds>.<body>` (https://docs.stripe.com/webhooks/signature#verify-manually). */
export const stripe: SignatureScheme = {
  keysOf: textKeys,
  read(request, { header, algorithm }) {
    const parts = headerOf(request, header).split(/[\s,]+/);
    const timestamps = valuesOf(parts, 't=');
    // With two timestamps, one could be signed and the other one compared with the clock.
    const timestamp = timestamps.length === 1 ? (timestamps[0] ?? '') : '';
    return {
      content: Buffer.concat([Buffer.from(`${timestamp}.`, 'utf8'), request.body]),
      signatures: valuesOf(parts, 'v1=').flatMap((text) => fromHex(text, algorithm)),
      signedAt: secondsOf(timestamp),
    };
  },
};

const SLACK_VERSION = 'v0';
const SLACK_TIMESTAMP = 'x-slack-request-timestamp';

/** `v0=<hex>` over `v0:<seconds>:<body>` (https://docs.slack.dev/authentication/verifying-requests-from-slack). */
export const slack: SignatureScheme = {
  keysOf: textKeys,
  read(request, { header, algorithm }) {
    const timestamp = headerOf(request, SLACK_TIMESTAMP);
    const parts = headerOf(request, header).split(/[\s,]+/);
    return {
      content: Buffer.concat([Buffer.from(`${SLACK_VERSION}:${timestamp}:`, 'utf8'), request.body]),
      signatures: valuesOf(parts, `${SLACK_VERSION}=`).flatMap((text) => fromHex(text, algorithm)),
      signedAt: secondsOf(timestamp),
    };
  },
};

const SUFFIX = /signature$/;

/**
 * Standard Webhooks: `v1,<base64>`, several separated by spaces, over `<id>.<seconds>.<body>`. Some providers
 * use other header names (`svix-id`, `svix-timestamp`, `svix-signature`), so the names of the first two follow from the
 * name of the signature header.
 *
 * An id may have dots. Whoever shifts one, to give a call another time, gives it another body as well: one that begins with
 * digits and a dot, which is neither an object nor a list.
 */
export const standard: SignatureScheme = {
  keysOf: standardKeys,
  read(request, { header, algorithm }) {
    const id = headerOf(request, siblingHeader(header, 'id'));
    const timestamp = headerOf(request, siblingHeader(header, 'timestamp'));
    const parts = headerOf(request, header).split(/,?\s+/);
    return {
      content: standardContent(id, timestamp, request.body),
      signatures: valuesOf(parts, `${SIGNATURE_VERSION},`).flatMap((text) => fromBase64(text, algorithm)),
      signedAt: id === '' ? 'missing' : secondsOf(timestamp),
    };
  },
};

/** The name of the id or timestamp header that belongs to a signature header. */
export function siblingHeader(signatureHeader: string, name: 'id' | 'timestamp'): string {
  return SUFFIX.test(signatureHeader) ? signatureHeader.replace(SUFFIX, name) : `webhook-${name}`;
}

/** What follows the prefix, in each part that begins with it. */
function valuesOf(parts: readonly string[], prefix: string): string[] {
  return parts.flatMap((part) => (part.startsWith(prefix) ? [part.slice(prefix.length)] : []));
}
