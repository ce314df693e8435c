import type { Readable } from 'node:stream';
import { senderOf } from '../mailbox/index.js';
import type { RenderedMail } from './rendered-mail.js';
import { MailFailedError, mailFailure } from './mail-failed-error.js';
import { OUTBOX_LIMITS, REQUEST_LIMITS } from './mail-server.js';
import type { SmtpLimits } from './mail-server.js';

/** One attempt to hand a message to its mail server: how long it may take, how far it has come, and how to end it. */
export class DeliveryAttempt {
  private readonly ending = new AbortController();
  private endedBy: 'timeout' | 'stopped' | null = null;
  private written = false;

  /** @param messageId the same in every attempt, so that a mailbox can drop what it got twice; null makes one up */
  private constructor(
    readonly kind: 'request' | 'outbox',
    readonly limits: SmtpLimits,
    readonly messageId: string | null,
  ) {}

  /** Within a request, whose sender waits for the outcome. */
  static inRequest(limits = REQUEST_LIMITS): DeliveryAttempt {
    return new DeliveryAttempt('request', limits, null);
  }

  /** From the outbox. @param mailId names the mail in every attempt */
  static fromOutbox(mailId: string, limits = OUTBOX_LIMITS): DeliveryAttempt {
    return new DeliveryAttempt('outbox', limits, mailId);
  }

  get signal(): AbortSignal {
    return this.ending.signal;
  }

  /** Whether the server may have the whole message: from here on only its reply tells if it took it. */
  get isWritten(): boolean {
    return this.written;
  }

  get isStopped(): boolean {
    return this.endedBy === 'stopped';
  }

  markWritten(): void {
    this.written = true;
  }

  /** Ends it now, with its connection. */
  stop(): void {
    this.end('stopped');
  }

  /** Does the work within the limit of the whole. @throws MailFailedError */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const timer = setTimeout(() => {
      this.end('timeout');
    }, this.limits.totalMs);
    let stopWaiting: (() => void) | undefined;
    const ended = new Promise<never>((_resolve, reject) => {
      stopWaiting = () => {
        reject(new MailFailedError('stopped', false));
      };
      this.signal.addEventListener('abort', stopWaiting, { once: true });
      if (this.signal.aborted) stopWaiting();
    });
    try {
      return await Promise.race([this.signal.aborted ? ended : work(), ended]);
    } catch (error) {
      throw this.endedBy === null ? mailFailure(error) : new MailFailedError(this.endedBy, false);
    } finally {
      clearTimeout(timer);
      if (stopWaiting !== undefined) this.signal.removeEventListener('abort', stopWaiting);
    }
  }

  private end(by: 'timeout' | 'stopped'): void {
    this.endedBy ??= by;
    this.ending.abort();
  }
}

/** A message as nodemailer takes it. */
export interface OutgoingMessage extends RenderedMail {
  /** Name and address apart: the library takes them as they are, where it would reparse a text. */
  readonly from: { readonly name: string; readonly address: string };
  readonly to: { readonly name: string; readonly address: string };
  readonly headers: Record<string, string>;
  readonly messageId?: string;
  readonly signal: AbortSignal;
  readonly attempt: DeliveryAttempt;
}

/** A program wrote it, so no autoresponder shall answer (RFC 3834, section 5). */
const HEADERS = { 'Auto-Submitted': 'auto-generated' };

/** @param sender `local@domain` or `Name <local@domain>`, as it is kept */
export function messageOf(
  sender: string,
  recipient: string,
  mail: RenderedMail,
  attempt: DeliveryAttempt,
): OutgoingMessage {
  const { messageId: id, signal } = attempt;
  const from = senderOf(sender);
  const to = { name: '', address: recipient };
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const messageId = id === null ? {} : { messageId: `<${id}@${domain}>` };
  return { from, to, headers: { ...HEADERS }, ...messageId, signal, attempt, ...mail };
}

/** What nodemailer gives a plugin of the step `stream` (https://nodemailer.com/plugins/create). */
interface CompiledMessage {
  readonly data: object;
  readonly message: { processFunc(pass: (source: Readable) => Readable): void };
}

/** A plugin of nodemailer that tells a delivery attempt when its message has been written. */
export function reportWritten({ data, message }: CompiledMessage, done: () => void): void {
  const attempt = 'attempt' in data && data.attempt instanceof DeliveryAttempt ? data.attempt : null;
  message.processFunc((source) => source.once('end', () => attempt?.markWritten()));
  done();
}
