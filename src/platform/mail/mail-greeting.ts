import { createTransport } from 'nodemailer';
import { mailFailure } from './mail-failed-error.js';
import { transportOptions } from './mail-server.js';
import type { MailServer } from './mail-server.js';

const ANSWER_LIMIT_MS = 5_000;
const LIMITS = {
  connectionMs: ANSWER_LIMIT_MS,
  greetingMs: ANSWER_LIMIT_MS,
  replyMs: ANSWER_LIMIT_MS,
  totalMs: 3 * ANSWER_LIMIT_MS,
};

/** Connects to the operator's mail server and signs in as configured, and sends nothing. @throws MailFailedError */
export async function greetMailServer(server: MailServer): Promise<void> {
  const transport = createTransport(transportOptions(server, LIMITS));
  try {
    await transport.verify();
  } catch (error) {
    throw mailFailure(error);
  } finally {
    transport.close();
  }
}
