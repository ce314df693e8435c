import type { OrganizationClient, ProjectClient } from '@service/client';
import { useOperatorOrNone } from '../../operator/operator.js';
import { useTenantOrNone } from '../../tenant/tenant.js';

type AdminMail = OrganizationClient['admin']['mail'];
export type Mail = Awaited<ReturnType<AdminMail['retry']>>;
type List = AdminMail['list'];

/** The mails of the deployment, for an operator, or those of a project, for its service key. */
export interface Outbox {
  readonly key: readonly unknown[];
  readonly list: (filter: Parameters<List>[0]) => ReturnType<List>;
  readonly retry: (id: string) => Promise<Mail>;
  readonly isReadOnly: boolean;
  /** The page of a user; null where the caller has none. */
  readonly pathOfUser: ((id: string) => string) | null;
  readonly project: ProjectClient | null;
  /** The page of the texts of the deployment's mails. */
  readonly texts: string | null;
  /** The page of the project's mail settings. */
  readonly settings: string | null;
}

export function useOutbox(): Outbox {
  const operator = useOperatorOrNone();
  const tenant = useTenantOrNone();
  if (operator !== null) {
    const { client, organization, isReadOnly, path } = operator;
    return {
      key: ['outbox', 'deployment'],
      list: (filter) => client.mail.list(filter),
      retry: (id) => client.mail.retry(id),
      isReadOnly,
      pathOfUser: organization === null ? null : (id) => `${path}/users/${id}`,
      project: null,
      texts: organization === null ? null : `${path}/mail/templates`,
      settings: null,
    };
  }
  const project = tenant?.project ?? null;
  if (tenant === null || project === null) throw new Error('this page is of the deployment or a project');
  return {
    key: ['outbox', tenant.slug],
    list: (filter) => project.mail.outbox(filter),
    retry: (id) => project.mail.retry(id),
    isReadOnly: false,
    pathOfUser: (id) => `${tenant.path}/users/${id}`,
    project,
    texts: null,
    settings: `${tenant.path}/mail`,
  };
}
