import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { PASSWORD } from '../../support/client.js';
import type { Body, Operations } from './operations.js';

const PAUSE_MS = 150;
const REFRESHES = 3;
/** What the documentation promises of a revoked key, and a moment more, in which a use is judged. */
const AFTER_REVOCATION_MS = 1100;
const PASSWORD_GRANT = '/auth/v1/token?grant_type=password';
const REFRESH_GRANT = '/auth/v1/token?grant_type=refresh_token';
const PERMISSIONS = { permissions: ['jobs:jobs:read'] };

export interface Account {
  readonly email: string;
  readonly slug: string;
}

/** Sessions and API keys of one account, one after another, until the drill is over. */
export class AccountLoad {
  /** Ids of the signing keys of the access tokens that were issued. */
  readonly signingKeys = new Set<string>();
  private isOver = false;
  private loops: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly operations: Operations,
    private readonly account: Account,
  ) {}

  begin(): void {
    this.loops = Promise.all([this.repeat(() => this.session()), this.repeat(() => this.apiKey())]);
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.loops;
  }

  private async repeat(act: () => Promise<void>): Promise<void> {
    while (!this.isOver) {
      await act();
      await wait(PAUSE_MS);
    }
  }

  /** Whoever gets no answer to a refresh does not know whether the token is used, and signs in again. */
  private async session(): Promise<void> {
    const subject = randomUUID();
    let tokens = await this.signIn(subject);
    for (let turn = 1; tokens !== null && turn <= REFRESHES; turn += 1) {
      const { access_token: access, refresh_token: token } = tokens;
      await this.operations.perform('check permissions', subject, (client) =>
        client.as(access).in(this.account.slug).post('/auth/v1/permissions/check', PERMISSIONS),
      );
      tokens = await this.refresh('refresh', subject, token);
      await wait(PAUSE_MS);
    }
    if (tokens === null) return;
    if (Math.random() < 0.5) await this.endByLogout(subject, tokens);
    else await this.refreshTwice(tokens.refresh_token);
  }

  private async endByLogout(
    subject: string,
    { access_token: access, refresh_token: token }: Body,
  ): Promise<void> {
    const ended = await this.operations.perform('log out', subject, (client) =>
      client.as(access).post('/auth/v1/logout', { scope: 'local' }),
    );
    if (ended !== null) await this.refresh('refresh after logout', subject, token);
  }

  /** Two that hold one token: at most one may go on. */
  private async refreshTwice(token: string): Promise<void> {
    const subject = randomUUID();
    const both = [1, 2].map(() => this.refresh('refresh twice at once', subject, token));
    await Promise.all(both);
  }

  private async apiKey(): Promise<void> {
    const subject = randomUUID();
    const { slug } = this.account;
    const tokens = await this.signIn(subject);
    if (tokens === null) return;
    const keys = `/auth/v1/orgs/${slug}/api-keys`;
    const body = { name: 'A key', permissions: PERMISSIONS.permissions };
    const made = await this.operations.perform('create an API key', subject, (client) =>
      client.as(tokens.access_token).post(keys, body),
    );
    if (made === null) return;
    const use = (kind: 'use the API key' | 'use the revoked key'): Promise<unknown> =>
      this.operations.perform(kind, subject, (client) => client.as(made.key).get('/jobs/v1/jobs'));
    await use('use the API key');
    const revoked = await this.operations.perform('revoke the API key', subject, (client) =>
      client.as(tokens.access_token).send('DELETE', `${keys}/${made.id}`),
    );
    if (revoked === null) return;
    await wait(AFTER_REVOCATION_MS);
    await use('use the revoked key');
  }

  private async signIn(subject: string): Promise<Body | null> {
    const { email } = this.account;
    const tokens = await this.operations.perform('sign in', subject, (client) =>
      client.post(PASSWORD_GRANT, { email, password: PASSWORD }),
    );
    return this.noted(tokens);
  }

  private async refresh(
    kind: 'refresh' | 'refresh after logout' | 'refresh twice at once',
    subject: string,
    token: string,
  ): Promise<Body | null> {
    const tokens = await this.operations.perform(kind, subject, (client) =>
      client.post(REFRESH_GRANT, { refresh_token: token }),
    );
    return this.noted(tokens);
  }

  private noted(tokens: Body | null): Body | null {
    const [header = ''] = tokens?.access_token.split('.') ?? [];
    if (header !== '') {
      const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
      this.signingKeys.add(kid);
    }
    return tokens;
  }
}
