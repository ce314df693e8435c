import { fromHex } from './digest-text.js';
import { headerOf, textKey } from './signature-scheme.js';
import type { SignatureScheme } from './signature-scheme.js';

/** `sha256=<hex>` over the body (https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries). */
export const github: SignatureScheme = {
  keyOf: textKey,
  read(request, { header, algorithm }) {
    const prefix = `${algorithm}=`;
    const signatures = headerOf(request, header)
      .split(/[\s,]+/)
      .flatMap((part) => (part.startsWith(prefix) ? fromHex(part.slice(prefix.length), algorithm) : []));
    return { content: request.body, signatures, signedAt: 'unsigned' };
  },
};
