/** Where the page of a mail ends, as the request that mailed its link asked for. */
export interface RequestedRedirect {
  readonly url: string;
  /** Binds the code to whoever made the request (RFC 7636, S256); null where it gave none. */
  readonly codeChallenge: string | null;
}

/** The columns of a row that keeps one. */
export interface RedirectColumns {
  readonly redirectTo: string | null;
  readonly codeChallenge: string | null;
}

export function redirectOf({ redirectTo, codeChallenge }: RedirectColumns): RequestedRedirect | null {
  return redirectTo === null ? null : { url: redirectTo, codeChallenge };
}
