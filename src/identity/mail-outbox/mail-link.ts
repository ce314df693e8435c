/**
 * The link to a page with its token.
 * @param baseUrl from `PublicUrl`, never from a request
 * @param page what stands after `/auth/v1/pages/`
 */
export function mailLink(baseUrl: string, page: string, token: string): string {
  return `${baseUrl}/auth/v1/pages/${page}?token=${encodeURIComponent(token)}`;
}
