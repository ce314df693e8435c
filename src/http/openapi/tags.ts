import type { OpenAPIObject } from '@nestjs/swagger';

type Tag = NonNullable<OpenAPIObject['tags']>[number];

/** The groups of operations in both profiles, in the order in which a newcomer should read them. */
const TAGS: Readonly<Record<string, string>> = {
  Identity: 'Sign up, sign in, sessions, the own account, and the keys that verify access tokens.',
  Organizations: 'Create, change and delete organizations, and read their audit trail.',
  Members: 'Who belongs to an organization, and with which role.',
  Invitations: 'Invite people by mail, and accept an invitation.',
  Roles: 'Roles of an organization, and the permissions they give.',
  Permissions: 'What a caller may do, for services and gateways that ask.',
  'API keys': 'Credentials of programs.',
  Users: 'The users of a project, with its service key.',
  'Project settings': 'Mail templates and mail settings of a project, with its service key.',
  Jobs: 'Jobs, their runs, logs, figures and schedules.',
  Hooks: 'Addresses that receive signed webhooks and start runs.',
  Vault: 'Secrets of handlers and webhooks.',
  Operator: 'The whole deployment, for its operators.',
  Operation: 'Health and metrics.',
  Pages: 'Where links in mails lead.',
  Console: 'The session of the console in a cookie. Only the console uses these.',
};

/** The tags that the operations of a document have, in reading order. */
export function tagsOf({ paths }: Pick<OpenAPIObject, 'paths'>): Tag[] {
  const used = new Set(
    Object.values(paths).flatMap((item) =>
      Object.values(item as Record<string, { tags?: string[] }>).flatMap(({ tags = [] }) => tags),
    ),
  );
  const order = Object.keys(TAGS);
  return [...used]
    .sort((left, right) => order.indexOf(left) - order.indexOf(right))
    .map((name) => ({ name, ...(TAGS[name] !== undefined && { description: TAGS[name] }) }));
}
