import { Autocomplete, Group, Loader, Select, Text } from '@mantine/core';
import type { Member, MemberAccess } from '@service/client';
import { useDebouncedCallback } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useFilters } from '../../parts/filters.js';
import { Card } from '../../parts/page.js';
import { messageOf } from '../../parts/queries.js';
import { isWhole, namedBy } from '../../tenant/permissions.js';
import { useTenant } from '../../tenant/tenant.js';
import classes from './access-question.module.css';
import { PermissionList } from './permission-list.js';
import { useRolesText } from './text.js';
import { useMemberAccess, useMembers, useRoles } from './use-roles.js';

const TYPING_MS = 250;

function Reasons({ access }: { access: MemberAccess }): ReactNode {
  const t = useRolesText();
  const { reason, role, granted_by: grants, granting_roles: others } = access;
  if (reason === 'account_disabled') return <p>{t('disabled')}</p>;
  if (reason === 'granted')
    return (grants ?? []).map((grant) => (
      <p key={`${grant.role} ${grant.permission}`}>{t('because', { ...grant })}</p>
    ));
  return (
    <>
      <p>{t('notGrantedBy', { role })}</p>
      {others !== null && (
        <p>{others.length === 0 ? t('noneGrants') : `${t('wouldGrant')} ${others.join(', ')}`}</p>
      )}
    </>
  );
}

function Answer({ member, permission }: { member: string; permission: string }): ReactNode {
  const t = useRolesText();
  const isTyping = permission !== '' && !isWhole(permission);
  const { data, error, isFetching } = useMemberAccess(member, isTyping ? '' : permission);
  if (error !== null)
    return (
      <Text role="alert" size="sm" c="var(--bad)" mt="sm">
        {messageOf(error)}
      </Text>
    );
  if (data === undefined)
    return isFetching ? (
      <Loader size="sm" mt="sm" />
    ) : (
      <Text size="sm" c="dimmed" mt="sm">
        {t(isTyping ? 'incomplete' : 'asking')}
      </Text>
    );
  return (
    <div className={classes.answer}>
      <span className={classes.verdict} data-allowed={data.allowed}>
        {t(data.allowed ? 'yes' : 'no')}
      </span>
      <div>
        <p dir="auto">{t(data.allowed ? 'yesText' : 'noText', { email: data.email })}</p>
        <Reasons access={data} />
      </div>
    </div>
  );
}

/** All that a member may do, by their role. */
function Everything({ member: { email, role: name, disabled } }: { member: Member }): ReactNode {
  const t = useRolesText();
  const { path } = useTenant();
  const { data: roles } = useRoles();
  const role = roles?.find((each) => each.name === name);
  if (disabled) return <p className={classes.everything}>{t('disabled')}</p>;
  return (
    <div className={classes.everything}>
      <p dir="auto">
        {t('hasRole', { email })} <Link to={`${path}/roles/${encodeURIComponent(name)}`}>{name}</Link>
      </p>
      {role !== undefined && <PermissionList permissions={role.permissions} />}
      <p className={classes.hint}>{t('askOne')}</p>
    </div>
  );
}

/** Asks whether a member may do something. The question is part of the address. */
export function AccessQuestion(): ReactNode {
  const t = useRolesText();
  const { data: members = [] } = useMembers();
  const { data: roles = [] } = useRoles();
  const { values, set } = useFilters(['member', 'permission']);
  const chosen = members.find(({ user_id: id }) => id === values.member);
  const setPermission = useDebouncedCallback((permission: string) => {
    set({ permission });
  }, TYPING_MS);
  return (
    <Card title={t('ask')}>
      <Group gap="xs" align="flex-start">
        <Select
          label={t('member')}
          data={members.map(({ user_id, email }) => ({ value: user_id, label: email }))}
          value={values.member === '' ? null : values.member}
          onChange={(member) => {
            set({ member });
          }}
          searchable
          w={{ base: '100%', xs: 280 }}
        />
        <Autocomplete
          label={t('permission')}
          placeholder={t('askHint')}
          data={namedBy(roles).filter(isWhole)}
          defaultValue={values.permission}
          onChange={(permission) => {
            setPermission(permission.trim());
          }}
          spellCheck={false}
          w={{ base: '100%', xs: 280 }}
        />
      </Group>
      <div aria-live="polite">
        {chosen !== undefined && values.permission === '' ? (
          <Everything member={chosen} />
        ) : (
          <Answer member={values.member} permission={values.permission} />
        )}
      </div>
    </Card>
  );
}
