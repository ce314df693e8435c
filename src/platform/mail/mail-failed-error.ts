import { certificateProblem } from '../tls/index.js';

/** What nodemailer says of a failure (https://nodemailer.com/smtp/, errors). */
interface SmtpFault {
  readonly code?: unknown;
  readonly command?: unknown;
  readonly responseCode?: unknown;
  readonly response?: unknown;
}

/** Most that is kept of what a server said, characters. */
const MAX_ANSWER = 10_000;

/** The mail server refused the message, or did not answer. */
export class MailFailedError extends Error {
  override name = 'MailFailedError';

  /**
   * @param reason a code, or what is wrong with a certificate; it names no address and no content, fit for logs
   * @param isFinal whether the server said that it will never take this message for this recipient (RFC 5321, section
   *   4.2.1)
   * @param isOfMessage whether the server refused this message alone, and may take others
   * @param answer what the server said, on one line; it may name the recipient, and repeat the mail. Null when it said nothing
   */
  constructor(
    readonly reason: string,
    readonly isFinal: boolean,
    readonly isOfMessage = false,
    readonly answer: string | null = null,
  ) {
    super(`the mail server did not take the message: ${reason}`);
  }
}

/** What a server answered, on one line. Only an SMTP reply, which begins with its code: what some other server says on connecting is none. */
function smtpAnswer(response: unknown): string | null {
  if (typeof response !== 'string' || !/^[2-5]\d\d[ -]/.test(response)) return null;
  return response
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, MAX_ANSWER);
}

/** What a server answered to a message that it took, from what nodemailer returns. */
export function answerOf(sent: unknown): string | null {
  return typeof sent === 'object' && sent !== null && 'response' in sent ? smtpAnswer(sent.response) : null;
}

/** Commands whose refusal is about the recipient or the message; `DATA` stands for its final dot too. */
const COMMANDS_OF_MESSAGE: ReadonlySet<unknown> = new Set(['RCPT TO', 'DATA']);
/** The server lost track of the dialogue (RFC 5321, section 4.2.4), which says nothing about the message. */
const BAD_SEQUENCE = 503;
/** The server is about to close the connection (section 3.8). */
const CLOSING = 421;

export function mailFailure(error: unknown): MailFailedError {
  if (error instanceof MailFailedError) return error;
  const fault: SmtpFault = typeof error === 'object' && error !== null ? error : {};
  const code = typeof fault.code === 'string' ? fault.code : 'timeout';
  const status = typeof fault.responseCode === 'number' ? fault.responseCode : null;
  const certificate = certificateProblem(error);
  const reason =
    certificate !== null
      ? `the mail server cannot be trusted: ${certificate}`
      : status === null
        ? code
        : `${code} ${status}`;
  // A refused sender or sign-in is for the operator to mend, after which the message can go.
  const isOfMessage = COMMANDS_OF_MESSAGE.has(fault.command) && status !== null && status !== CLOSING;
  const isFinal = isOfMessage && status >= 500 && status !== BAD_SEQUENCE;
  return new MailFailedError(reason, isFinal, isOfMessage, smtpAnswer(fault.response));
}
