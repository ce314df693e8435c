import { fromHex } from './digest-text.js';
import { headerOf, secondsOf, textKey } from './signature-scheme.js';
import type { SignatureScheme } from './signature-scheme.js';

const VERSION = 'v0';
const TIMESTAMP_HEADER = 'x-slack-request-timestamp';

/** `v0=<hex>` over `v0:<seconds>:<body>` (https://docs.slack.dev/authentication/verifying-requests-from-slack). */
export const slack: SignatureScheme = {
  keyOf: textKey,
  read(request, { header, algorithm }) {
    const timestamp = headerOf(request, TIMESTAMP_HEADER);
    const prefix = `${VERSION}=`;
    return {
      content: Buffer.concat([Buffer.from(`${VERSION}:${timestamp}:`, 'utf8'), request.body]),
      signatures: headerOf(request, header)
        .split(/[\s,]+/)
        .flatMap((part) => (part.startsWith(prefix) ? fromHex(part.slice(prefix.length), algorithm) : [])),
      signedAt: secondsOf(timestamp),
    };
  },
};
