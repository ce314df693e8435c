import type { CallOptions } from '../http/call.js';
import type { List } from '../http/list.js';
import type { Mail } from '../shapes.js';
import type { Paged, SharedApi } from './apis.js';

/** A filter of mails. What is omitted matches any. */
export interface MailFilter extends Paged {
  readonly state?: Mail['state'] | undefined;
  /** The recipient's address, or a prefix of it. */
  readonly to?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** The mail outbox of the deployment. */
export class AdminMail {
  constructor(private readonly api: SharedApi) {}

  /** Newest first. */
  list({ signal, ...filter }: MailFilter & CallOptions = {}): List<Mail> {
    return this.api.list('/admin/v1/mail', { query: { ...filter }, as: 'operator', signal });
  }

  /** Sends a mail again. @returns the mail that waits now, which is a new one if the other was finished */
  async retry(id: string, { signal }: CallOptions = {}): Promise<Mail> {
    return await this.api.post('/admin/v1/mail/{id}/retry', { parameters: { id }, as: 'operator', signal });
  }
}
