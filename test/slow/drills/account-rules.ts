import type { Kind, Operation } from './operations.js';

/** How each may be answered. Besides, every one may be told to come again, by 503. */
const ANSWERS: Readonly<Record<Kind, readonly number[]>> = {
  'sign in': [200],
  'check permissions': [200],
  refresh: [200],
  'refresh twice at once': [200, 401],
  'log out': [204],
  'refresh after logout': [401],
  'create an API key': [201],
  'use the API key': [200],
  'revoke the API key': [200, 204],
  // Invalid keys are counted by address, and limited.
  'use the revoked key': [401, 429],
};

export const KINDS = Object.keys(ANSWERS) as Kind[];

/** What of the requests must not be, one line for each violation; empty when all is well. */
export function accountViolationsOf(operations: readonly Operation[]): string[] {
  return [...operations.flatMap(undocumentedAnswer), ...branches(operations)];
}

/** Logout and revocation are among them: what was ended is not answered as if it were not. */
function undocumentedAnswer({ kind, subject, status, code, startedAt }: Operation): string[] {
  if (status === null || status === 503 || ANSWERS[kind].includes(status)) return [];
  const at = new Date(startedAt).toISOString();
  return [`${kind}: answered ${status} ${code ?? ''} at ${at} (${subject})`];
}

function branches(operations: readonly Operation[]): string[] {
  const goneOn = operations.filter(({ kind, status }) => kind === 'refresh twice at once' && status === 200);
  const subjects = goneOn.map(({ subject }) => subject);
  return subjects
    .filter((subject, index) => subjects.indexOf(subject) !== index)
    .map((subject) => `one branch for each refresh token: two went on from one (${subject})`);
}
