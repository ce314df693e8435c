import { SIGNATURE_VERSION, standardContent, standardKey } from '../../signing/index.js';
import { fromBase64 } from './digest-text.js';
import { headerOf, secondsOf } from './signature-scheme.js';
import type { SignatureScheme } from './signature-scheme.js';

/** A dot in the id would leave open where it ends and the timestamp begins. */
const MESSAGE_ID = /^[^.]+$/;
const SUFFIX = /signature$/;

/**
 * Standard Webhooks: `v1,<base64>`, several separated by spaces, over `<id>.<seconds>.<body>`. Some providers
 * name the three headers otherwise (`svix-id`, `svix-timestamp`, `svix-signature`): the other two follow the
 * name of the signature's.
 */
export const standard: SignatureScheme = {
  keyOf: standardKey,
  read(request, { header, algorithm }) {
    const id = headerOf(request, siblingHeader(header, 'id'));
    const timestamp = headerOf(request, siblingHeader(header, 'timestamp'));
    const prefix = `${SIGNATURE_VERSION},`;
    return {
      content: standardContent(id, timestamp, request.body),
      signatures: headerOf(request, header)
        .split(/,?\s+/)
        .flatMap((part) => (part.startsWith(prefix) ? fromBase64(part.slice(prefix.length), algorithm) : [])),
      signedAt: MESSAGE_ID.test(id) ? secondsOf(timestamp) : 'missing',
    };
  },
};

/** `webhook-id` and `webhook-timestamp` beside `webhook-signature`. */
export function siblingHeader(signatureHeader: string, name: 'id' | 'timestamp'): string {
  return SUFFIX.test(signatureHeader) ? signatureHeader.replace(SUFFIX, name) : `webhook-${name}`;
}
