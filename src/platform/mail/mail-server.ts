const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** How long a mail server may take, milliseconds. */
export interface SmtpLimits {
  /** Until the session is set up: name lookup, connection, TLS and greeting together. */
  readonly connectionMs: number;
  readonly greetingMs: number;
  /** For any further reply. */
  readonly replyMs: number;
  /** For all of it. A server that sends a byte now and then never exceeds the other limits. */
  readonly totalMs: number;
}

/** Where somebody waits for the answer to their request. */
export const REQUEST_LIMITS: SmtpLimits = {
  connectionMs: 10 * SECOND_MS,
  greetingMs: 10 * SECOND_MS,
  replyMs: 10 * SECOND_MS,
  totalMs: 30 * SECOND_MS,
};

/**
 * Where nobody waits: no less than RFC 5321, section 4.5.3.2 demands. That is 5 minutes for the greeting, 5 for MAIL and
 * RCPT, 2 for DATA, 3 for a block, and 10 for the final dot, where giving up early means sending the mail again to a
 * server that has it. nodemailer has one limit for all replies, so the largest applies to each.
 */
export const OUTBOX_LIMITS: SmtpLimits = {
  connectionMs: 10 * MINUTE_MS,
  greetingMs: 5 * MINUTE_MS,
  replyMs: 10 * MINUTE_MS,
  totalMs: 45 * MINUTE_MS,
};

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
