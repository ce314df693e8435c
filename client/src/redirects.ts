import type { CallOptions } from './http/call.js';

/** Where the page of a mail ends: for mails to whoever makes the request. */
export interface ReturnOptions extends RedirectOptions {
  /** From `createCodeProof`: the code can only be used with the verifier. */
  readonly code_challenge?: string | undefined;
}

/** Where the page of a mail ends. The URL must match the list of redirect URLs. */
export interface RedirectOptions extends CallOptions {
  readonly redirect_to?: string | undefined;
}

/** What to exchange for a session. */
export interface CodeExchange {
  /** The code in the URL that the page of a mail redirected to; see `takeCode`. */
  readonly code: string;
  readonly code_verifier?: string | undefined;
}

/** A verifier to keep, and its challenge to send (RFC 7636, S256). */
export interface CodeProof {
  readonly code_verifier: string;
  readonly code_challenge: string;
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/**
 * Creates a verifier and its challenge. Keep the verifier where the application finds it when the user returns, such as
 * `sessionStorage`. In browsers this works only over HTTPS or on localhost, like `crypto.subtle`.
 */
export async function createCodeProof(): Promise<CodeProof> {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return { code_verifier: verifier, code_challenge: base64url(new Uint8Array(digest)) };
}

/** The parts of a browser's window that `takeCode` needs. */
export interface CodeWindow {
  readonly location: { readonly href: string };
  readonly history: {
    readonly state: unknown;
    replaceState(state: unknown, unused: string, url: string): void;
  };
}

function ownWindow(): CodeWindow {
  const own: unknown = globalThis;
  return own as CodeWindow;
}

/**
 * The code in the address of the page, or null. This removes it from the address and from the history, so that neither
 * a bookmark nor the next request contains it.
 */
export function takeCode(page: CodeWindow = ownWindow()): string | null {
  const url = new URL(page.location.href);
  const code = url.searchParams.get('code');
  if (code === null) return null;
  url.searchParams.delete('code');
  page.history.replaceState(page.history.state, '', url.href);
  return code;
}
