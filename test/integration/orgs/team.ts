import { signUp, signUpOwner } from '../../support/client.js';
import type { Answer, Client, SignedUp } from '../../support/client.js';
import type { OpenDatabase } from '../../support/database.js';

export interface InvitationBody {
  id: string;
  email: string;
  role: string;
  status: string;
  expires_at: string;
  emailed: boolean;
  link?: string;
}

export interface AcceptedBody {
  user: { id: string; email: string; email_verified: boolean };
  org: { id: string; slug: string };
  session?: { access_token: string; refresh_token: string; expires_at: string };
}

interface ErrorBody {
  error: { code: string; details?: { path: string; message: string }[] };
}

/** Status and code of a refusal, or the status alone. */
export function outcomeOf({ status, body }: Answer<unknown>): [number, string?] {
  const code = (body as Partial<ErrorBody> | null)?.error?.code;
  return code === undefined ? [status] : [status, code];
}

export function pathsOf({ body }: Answer<unknown>): string[] {
  return ((body as Partial<ErrorBody>).error?.details ?? []).map(({ path }) => path);
}

export function tokenOf(link: string | undefined): string {
  return new URL(link ?? '').searchParams.get('token') ?? '';
}

export interface AuditRow {
  action: string;
  actor_type: string;
  actor_id: string | null;
  target_type: string;
  target_id: string;
  details: Record<string, unknown>;
}

/** An organization with its owner, and whoever they take in. */
export class Team {
  private constructor(
    readonly owner: SignedUp,
    readonly orgId: string,
    readonly slug: string,
    readonly path: string,
    private readonly url: string,
    private readonly database: OpenDatabase,
  ) {}

  static async found(url: string, database: OpenDatabase): Promise<Team> {
    const { orgId, slug, ...owner } = await signUpOwner(url);
    return new Team(owner, orgId, slug, `/auth/v1/orgs/${orgId}`, url, database);
  }

  async invite(email: string, role: string, by: Client = this.owner.client): Promise<InvitationBody> {
    const answer = await by.post<InvitationBody>(`${this.path}/invitations`, { email, role });
    if (answer.status !== 201) throw new Error(`inviting answered ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** A new account, taken in with this role. */
  async take(role: string): Promise<SignedUp> {
    const user = await signUp(this.url);
    const { link } = await this.invite(user.email, role);
    const accepted = await user.client.post('/auth/v1/invitations/accept', { token: tokenOf(link) });
    if (accepted.status !== 200) throw new Error(`accepting answered ${JSON.stringify(accepted.body)}`);
    return { ...user, client: user.client.in(this.orgId) };
  }

  async makeRole(name: string, permissions: string[]): Promise<void> {
    const answer = await this.owner.client.post(`${this.path}/roles`, { name, permissions });
    if (answer.status !== 201) throw new Error(`making a role answered ${JSON.stringify(answer.body)}`);
  }

  async changeRole(user: SignedUp, role: string, by: Client = this.owner.client): Promise<Answer> {
    return await by.send('PATCH', `${this.path}/members/${user.userId}`, { role });
  }

  async roles(): Promise<Record<string, string>> {
    const members = await this.database.query<{ user_id: string; role: string }>(
      'SELECT user_id, role FROM members WHERE org_id = $1',
      [this.orgId],
    );
    return Object.fromEntries(members.map(({ user_id, role }) => [user_id, role]));
  }

  /** The organization's audit entries, oldest first. */
  async audit(): Promise<AuditRow[]> {
    return await this.database.query<AuditRow>(
      `SELECT action, actor_type, actor_id, target_type, target_id, details FROM audit_entries
       WHERE org_id = $1 ORDER BY position`,
      [this.orgId],
    );
  }

  async lastAudit(): Promise<AuditRow | undefined> {
    return (await this.audit()).at(-1);
  }
}
