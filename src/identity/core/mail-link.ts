/** The pages that links in mail open. */
export type MailPage = 'verify' | 'recover' | 'invitation';

/**
 * The link to a page with its token.
 * @param baseUrl from `PublicUrl`, never from a request
 */
export function mailLink(baseUrl: string, page: MailPage, token: string): string {
  return `${baseUrl}/auth/v1/pages/${page}?token=${encodeURIComponent(token)}`;
}
