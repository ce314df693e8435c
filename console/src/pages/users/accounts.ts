import type { OperatorUser, OrganizationClient, ProjectClient } from '@service/client';
import { useOperatorOrNone } from '../../operator/operator.js';
import { useTenantOrNone } from '../../tenant/tenant.js';

type OperatorUsers = OrganizationClient['admin']['users'];
type ProjectUsers = ProjectClient['users'];
/** Metadata, in which programs keep what they like, is of accounts of the deployment alone. */
export type Account = Awaited<ReturnType<ProjectUsers['get']>> & Partial<Pick<OperatorUser, 'metadata'>>;
export type MailKind = 'verification' | 'magic_link' | 'recovery';

/** The users of the deployment, for an operator, or those of a project, for its service key. */
export interface Accounts {
  readonly key: readonly unknown[];
  readonly client: OperatorUsers | ProjectUsers;
  /** Null in a project. */
  readonly organizations: OrganizationClient['admin'] | null;
  /** Null except in a project, whose users can be deleted. */
  readonly project: ProjectUsers | null;
  readonly path: string;
  readonly isReadOnly: boolean;
  readonly mails: readonly MailKind[];
  readonly sendMail: (id: string, kind: MailKind) => Promise<void>;
}

/** What the person is called; null where nobody has said. */
export function nameOf({ metadata }: Account): string | null {
  const name = metadata?.name;
  return typeof name === 'string' && name.trim() !== '' ? name : null;
}

export function useAccounts(): Accounts {
  const operator = useOperatorOrNone();
  const tenant = useTenantOrNone();
  if (operator?.organization) {
    const { organization, isReadOnly, path } = operator;
    return {
      key: ['users', 'deployment'],
      client: organization.users,
      organizations: organization,
      project: null,
      path: `${path}/users`,
      isReadOnly,
      mails: ['verification', 'recovery'],
      sendMail: (id, kind) =>
        organization.users.sendMail(id, kind === 'verification' ? 'verification' : 'recovery'),
    };
  }
  const users = tenant?.project?.users;
  if (tenant === null || users === undefined) throw new Error('this page is of the deployment or a project');
  return {
    key: ['users', tenant.slug],
    client: users,
    organizations: null,
    project: users,
    path: `${tenant.path}/users`,
    isReadOnly: tenant.isReadOnly,
    mails: ['magic_link', 'recovery'],
    sendMail: (id, kind) => users.sendMail(id, kind === 'magic_link' ? 'magic_link' : 'recovery'),
  };
}
