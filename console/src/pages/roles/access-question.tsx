import { Autocomplete, Group, Loader, Select, Text } from '@mantine/core';
import type { MemberAccess } from '@service/client';
import { useDebouncedCallback } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useFilters } from '../../parts/filters.js';
import { Card } from '../../parts/page.js';
import { messageOf } from '../../parts/queries.js';
import { isWhole, namedBy } from '../../tenant/permissions.js';
import classes from './access-question.module.css';
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

/** Asks whether a member may do something. The question is part of the address. */
export function AccessQuestion(): ReactNode {
  const t = useRolesText();
  const { data: members = [] } = useMembers();
  const { data: roles = [] } = useRoles();
  const { values, set } = useFilters(['member', 'permission']);
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
        <Answer member={values.member} permission={values.permission} />
      </div>
    </Card>
  );
}
