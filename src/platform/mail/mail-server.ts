import type { SmtpLimits } from './smtp-limits.js';

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

/** What nodemailer needs for a server. */
export function transportOptions(
  { host, port, user, password, tls }: Omit<MailServer, 'from'>,
  limits: SmtpLimits,
): {
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
    connectionTimeout: limits.connectionMs,
    greetingTimeout: limits.greetingMs,
    socketTimeout: limits.replyMs,
  };
}
