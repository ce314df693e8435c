/** What the cookie keeps: the refresh token of an account's session, or the sealed service key of a project. */
export type KeptCredential =
  | { readonly kind: 'account'; readonly refreshToken: string }
  | { readonly kind: 'project'; readonly sealedKey: string };

const ACCOUNT = 'account.';
const PROJECT = 'project.';

export function keptAccount(refreshToken: string): string {
  return `${ACCOUNT}${refreshToken}`;
}

export function keptProject(sealedKey: string): string {
  return `${PROJECT}${sealedKey}`;
}

/** Null if the cookie is not one of ours. */
export function keptOf(cookie: string | null): KeptCredential | null {
  if (cookie?.startsWith(ACCOUNT) === true)
    return { kind: 'account', refreshToken: cookie.slice(ACCOUNT.length) };
  return cookie?.startsWith(PROJECT) === true
    ? { kind: 'project', sealedKey: cookie.slice(PROJECT.length) }
    : null;
}
