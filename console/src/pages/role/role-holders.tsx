import type { RoleHolders as Holders } from '@service/client';
import { Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Instant } from '../../parts/instant.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { useTenant } from '../../tenant/tenant.js';
import { useRolesText } from '../roles/text.js';
import classes from './role-page.module.css';

interface Group {
  readonly title: string;
  readonly count: number;
  readonly items: readonly { readonly id: string; readonly name: string; readonly at?: string }[];
}

function HolderGroup({ title, count, items }: Group): ReactNode {
  const t = useRolesText();
  return (
    <section className={classes.group}>
      <h3>
        {title} <span>{items.length < count ? t('shownOf', { shown: items.length, count }) : count}</span>
      </h3>
      <ul>
        {items.map(({ id, name, at }) => (
          <li key={id}>
            <span dir="auto">{name}</span>
            {at !== undefined && <Instant at={at} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whom a change of the role concerns. */
export function RoleHolders({ holders }: { holders: Holders }): ReactNode {
  const t = useRolesText();
  const { path } = useTenant();
  const { members, invitations, api_keys: keys } = holders;
  const groups: Group[] = [
    {
      title: t('members'),
      count: holders.member_count,
      items: members.map(({ user_id, email, joined_at }) => ({ id: user_id, name: email, at: joined_at })),
    },
    {
      title: t('invitations'),
      count: holders.invitation_count,
      items: invitations.map(({ id, email, expires_at }) => ({ id, name: email, at: expires_at })),
    },
    {
      title: t('keys'),
      count: holders.api_key_count ?? 0,
      items: (keys ?? []).map(({ id, name }) => ({ id, name })),
    },
  ];
  const shown = groups.filter(({ count }) => count > 0);
  const isNobodys = holders.member_count + holders.invitation_count === 0;
  return (
    <Card title={t('holders')}>
      {isNobodys && (
        <Empty icon={Users} title={t('nobody')}>
          <Link to={`${path}/members`}>{t('nobodyText')}</Link>
        </Empty>
      )}
      <div className={classes.groups}>
        {shown.map((group) => (
          <HolderGroup key={group.title} {...group} />
        ))}
      </div>
      {keys === null && <p className={classes.hint}>{t('keysHidden')}</p>}
    </Card>
  );
}
