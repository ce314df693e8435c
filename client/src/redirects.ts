import type { CallOptions } from './http/call.js';

/** Where the page of a mail ends: for mails that whoever makes the request follows. */
export interface ReturnOptions extends RedirectOptions {
  /** From `createCodeProof`: the code is of use with the verifier alone. */
  readonly code_challenge?: string | undefined;
}

/** Where the page of a mail ends. The URL has to match the list of redirect URLs. */
export interface RedirectOptions extends CallOptions {
  readonly redirect_to?: string | undefined;
}

/** What a code is exchanged with. */
export interface CodeExchange {
  /** From the URL that the page of a mail led to: `takeCode`. */
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
 * Makes a verifier and its challenge. Keep the verifier where the application finds it when the user is back, such as
 * `sessionStorage`; in browsers only over HTTPS or on localhost, as `crypto.subtle` is.
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
 * The code in the address of the page, or null. It is removed from the address and from the history, so that neither a
 * bookmark nor the next request has it.
 */
export function takeCode(page: CodeWindow = ownWindow()): string | null {
  const url = new URL(page.location.href);
  const code = url.searchParams.get('code');
  if (code === null) return null;
  url.searchParams.delete('code');
  page.history.replaceState(page.history.state, '', url.href);
  return code;
}
