import type { CallOptions } from '../../http/call.js';
import type { ProjectApi } from '../apis.js';

interface PasswordForm {
  readonly token: string;
  readonly password: string;
  readonly repeat?: string | undefined;
}

const CHANGE_EMAIL = '/auth/v1/pages/{ref}/change-email';
const INVITE = '/auth/v1/pages/{ref}/invite';
const MAGIC_LINK = '/auth/v1/pages/{ref}/magic-link';
const RECOVER = '/auth/v1/pages/{ref}/recover';
const NEW_LINK = '/auth/v1/pages/{ref}/new-link';
const FORM = { as: 'nobody', form: true } as const;

/** The pages that links in a project's mails open, as HTML: for programs that show them as their own. */
export class ProjectPages {
  constructor(private readonly api: ProjectApi) {}

  async invite(ref: string, token: string, { signal }: CallOptions = {}): Promise<string> {
    return await this.api.get(INVITE, { parameters: { ref }, query: { token }, as: 'nobody', signal });
  }

  async submitInvite(ref: string, form: PasswordForm, { signal }: CallOptions = {}): Promise<string> {
    return await this.api.post(INVITE, { parameters: { ref }, body: { ...form }, ...FORM, signal });
  }

  async magicLink(ref: string, token: string, { signal }: CallOptions = {}): Promise<string> {
    return await this.api.get(MAGIC_LINK, { parameters: { ref }, query: { token }, as: 'nobody', signal });
  }

  async submitMagicLink(ref: string, token: string, { signal }: CallOptions = {}): Promise<string> {
    return await this.api.post(MAGIC_LINK, { parameters: { ref }, body: { token }, ...FORM, signal });
  }

  async changeEmail(ref: string, token: string, { signal }: CallOptions = {}): Promise<string> {
    return await this.api.get(CHANGE_EMAIL, { parameters: { ref }, query: { token }, as: 'nobody', signal });
  }

  async submitChangeEmail(ref: string, token: string, { signal }: CallOptions = {}): Promise<string> {
    return await this.api.post(CHANGE_EMAIL, { parameters: { ref }, body: { token }, ...FORM, signal });
  }

  /**
   * Requests another mail instead of one whose link is no longer valid. The answer is the same whether or not one is
   * sent.
   */
  async sendNewLink(ref: string, token: string, { signal }: CallOptions = {}): Promise<string> {
    return await this.api.post(NEW_LINK, { parameters: { ref }, body: { token }, ...FORM, signal });
  }

  async recover(ref: string, token: string, { signal }: CallOptions = {}): Promise<string> {
    return await this.api.get(RECOVER, { parameters: { ref }, query: { token }, as: 'nobody', signal });
  }

  async submitRecover(ref: string, form: PasswordForm, { signal }: CallOptions = {}): Promise<string> {
    return await this.api.post(RECOVER, { parameters: { ref }, body: { ...form }, ...FORM, signal });
  }
}
