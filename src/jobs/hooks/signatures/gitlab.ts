import { createHmac } from 'node:crypto';
import { headerOf, textKey } from './signature-scheme.js';
import type { SignatureScheme } from './signature-scheme.js';

/** Signed with the token that was sent and with the one that is expected: equal results mean equal tokens. */
const CONTENT = Buffer.from('X-Gitlab-Token');

/**
 * The secret itself, in a header (https://docs.gitlab.com/user/project/integrations/webhooks/#validate-payloads-by-using-a-secret-token).
 * GitLab signs nothing: the body is only as safe as the TLS connection.
 */
export const gitlab: SignatureScheme = {
  keyOf: textKey,
  read(request, { header, algorithm }) {
    const token = headerOf(request, header);
    const digest = createHmac(algorithm, textKey(token)).update(CONTENT).digest();
    return { content: CONTENT, signatures: token === '' ? [] : [digest], signedAt: 'unsigned' };
  },
};
