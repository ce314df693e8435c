import { fromHex } from './digest-text.js';
import { headerOf, secondsOf, textKey } from './signature-scheme.js';
import type { SignatureScheme } from './signature-scheme.js';

/** `t=<seconds>,v1=<hex>,…` over `<seconds>.<body>` (https://docs.stripe.com/webhooks/signature#verify-manually). */
export const stripe: SignatureScheme = {
  keyOf: textKey,
  read(request, { header, algorithm }) {
    const parts = headerOf(request, header).split(/[\s,]+/);
    const valuesOf = (name: string): string[] =>
      parts.flatMap((part) => (part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : []));
    const timestamps = valuesOf('t');
    // Of two, one would be signed and the other judged.
    const timestamp = timestamps.length === 1 ? (timestamps[0] ?? '') : '';
    return {
      content: Buffer.concat([Buffer.from(`${timestamp}.`, 'utf8'), request.body]),
      signatures: valuesOf('v1').flatMap((text) => fromHex(text, algorithm)),
      signedAt: secondsOf(timestamp),
    };
  },
};
