import type { Readable } from 'node:stream';
import { domainToASCII } from 'node:url';
import { Handover } from './handover.js';
import type { RenderedMail } from './mail-templates.js';

/** A message as nodemailer takes it. */
export interface OutgoingMessage extends RenderedMail {
  readonly from: string;
  readonly to: string;
  readonly headers: Record<string, string>;
  readonly messageId?: string;
  readonly signal: AbortSignal;
  readonly handover: Handover;
}

/** A program wrote it, so no autoresponder shall answer (RFC 3834, section 5). */
const HEADERS = { 'Auto-Submitted': 'auto-generated' };

export function messageOf(from: string, to: string, mail: RenderedMail, handover: Handover): OutgoingMessage {
  const { messageId: id, signal } = handover;
  const messageId = id === null ? {} : { messageId: `<${id}@${domainOf(from)}>` };
  return { from, to, headers: { ...HEADERS }, ...messageId, signal, handover, ...mail };
}

/** @param sender `local@domain` or `Name <local@domain>` */
function domainOf(sender: string): string {
  const domain = sender.slice(sender.lastIndexOf('@') + 1).replace(/>.*$/, '');
  return domainToASCII(domain) || 'localhost';
}

/** What nodemailer gives a plugin of the step `stream` (https://nodemailer.com/plugins/create). */
interface CompiledMessage {
  readonly data: object;
  readonly message: { processFunc(pass: (source: Readable) => Readable): void };
}

/** A plugin of nodemailer that tells a handover when its message has been written. */
export function reportWritten({ data, message }: CompiledMessage, done: () => void): void {
  const handover = 'handover' in data && data.handover instanceof Handover ? data.handover : null;
  message.processFunc((source) => source.once('end', () => handover?.markWritten()));
  done();
}
