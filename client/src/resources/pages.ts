import type { CallOptions } from '../http/call.js';
import type { OrganizationApi } from './apis.js';

interface PasswordForm {
  readonly token: string;
  readonly password: string;
  readonly repeat?: string | undefined;
}

const FORM = { as: 'nobody', form: true } as const;

/** The pages that links in mails open, as HTML: for programs that show them as their own. */
export class Pages {
  constructor(private readonly api: OrganizationApi) {}

  async verify(token: string, { signal }: CallOptions = {}): Promise<string> {
    return await this.api.get('/auth/v1/pages/verify', { query: { token }, as: 'nobody', signal });
  }

  async submitVerify(token: string, { signal }: CallOptions = {}): Promise<string> {
    return await this.api.post('/auth/v1/pages/verify', { body: { token }, ...FORM, signal });
  }

  async recover(token: string, { signal }: CallOptions = {}): Promise<string> {
    return await this.api.get('/auth/v1/pages/recover', { query: { token }, as: 'nobody', signal });
  }

  async submitRecover(form: PasswordForm, { signal }: CallOptions = {}): Promise<string> {
    return await this.api.post('/auth/v1/pages/recover', { body: { ...form }, ...FORM, signal });
  }

  async changeEmail(token: string, { signal }: CallOptions = {}): Promise<string> {
    return await this.api.get('/auth/v1/pages/change-email', { query: { token }, as: 'nobody', signal });
  }

  async submitChangeEmail(token: string, { signal }: CallOptions = {}): Promise<string> {
    return await this.api.post('/auth/v1/pages/change-email', { body: { token }, ...FORM, signal });
  }

  /**
   * Requests another mail instead of one whose link is no longer valid. The answer is the same whether or not one is
   * sent.
   */
  async sendNewLink(token: string, { signal }: CallOptions = {}): Promise<string> {
    return await this.api.post('/auth/v1/pages/new-link', { body: { token }, ...FORM, signal });
  }

  async invitation(token: string, { signal }: CallOptions = {}): Promise<string> {
    return await this.api.get('/auth/v1/pages/invitation', { query: { token }, as: 'nobody', signal });
  }

  async submitInvitation(form: PasswordForm, { signal }: CallOptions = {}): Promise<string> {
    return await this.api.post('/auth/v1/pages/invitation', { body: { ...form }, ...FORM, signal });
  }
}
