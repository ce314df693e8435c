import { fromBase64, fromHex } from './digest-text.js';
import { headerOf, textKey } from './signature-scheme.js';
import type { SignatureScheme } from './signature-scheme.js';

const PREFIXED = /^(sha1|sha256|sha512)=(.+)$/i;

/**
 * HMAC over the body, in hexadecimal or base64, with or without the name of the algorithm before it. Several
 * are separated by commas.
 */
export const plain: SignatureScheme = {
  keyOf: textKey,
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
