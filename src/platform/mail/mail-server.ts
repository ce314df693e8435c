import type { RenderedMail } from './mail-templates.js';

/** A mail server and how to speak to it (RFC 5321). */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** Null signs in with nothing. */
  readonly user: string | null;
  readonly password: string | null;
  /** The sender of every message: `local@domain` or `Name <local@domain>`. */
  readonly from: string;
  /** Encryption: demanded after connecting, from the first byte, or none. */
  readonly tls: 'starttls' | 'tls' | 'none';
}

/** How long a mail server may take for any step of the dialogue. */
const STEP_LIMIT_MS = 10_000;

/** The longest that handing over one message may take, all steps together. */
export const SEND_LIMIT_MS = 30_000;

/** What nodemailer needs for a server. */
export function transportOptions({ host, port, user, password, tls }: Omit<MailServer, 'from'>): {
  host: string;
  port: number;
  secure: boolean;
  requireTLS: boolean;
  ignoreTLS: boolean;
  auth?: { user: string; pass: string };
  connectionTimeout: number;
  greetingTimeout: number;
  socketTimeout: number;
} {
  return {
    host,
    port,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(user === null ? {} : { auth: { user, pass: password ?? '' } }),
    connectionTimeout: STEP_LIMIT_MS,
    greetingTimeout: STEP_LIMIT_MS,
    socketTimeout: STEP_LIMIT_MS,
  };
}

/** The message as nodemailer takes it. A program wrote it: no autoresponder shall answer (RFC 3834, section 5). */
export function messageOf(
  from: string,
  to: string,
  mail: RenderedMail,
): RenderedMail & { from: string; to: string; headers: Record<string, string> } {
  return { from, to, headers: { 'Auto-Submitted': 'auto-generated' }, ...mail };
}
