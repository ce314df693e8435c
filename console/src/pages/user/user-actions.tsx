import { Button, Menu, PasswordInput, Text } from '@mantine/core';
import type { OrganizationClient } from '@service/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { EllipsisVertical, LockKeyhole, Mail, ShieldOff, Trash2, UserCheck, UserX } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { FormModal } from '../../parts/form-modal.js';
import { keyState } from '../../parts/key-state.js';
import { messageOf } from '../../parts/queries.js';
import { useAccounts } from '../users/accounts.js';
import type { Account, MailKind } from '../users/accounts.js';
import { useUsersText } from '../users/text.js';
import { useUserText } from './text.js';
import { useFactors } from './use-factors.js';

type Question = 'disable' | 'password' | 'factors' | 'delete';

function useActions({ id }: Account) {
  const { client, project, path, sendMail } = useAccounts();
  const navigate = useNavigate();
  return {
    disable: useMutation({ mutationFn: (disabled: boolean) => client.update(id, { disabled }) }),
    password: useMutation({ mutationFn: (password: string) => client.setPassword(id, password) }),
    resetFactors: useMutation({ mutationFn: () => client.resetFactors(id) }),
    mail: useMutation({ mutationFn: (kind: MailKind) => sendMail(id, kind) }),
    remove: useMutation({
      mutationFn: async () => {
        await project?.delete(id);
        await navigate(path);
      },
    }),
  };
}

interface KeysThatStayProps {
  readonly account: Account;
  readonly admin: OrganizationClient['admin'];
}

/** Says how many keys of a user stay in force; nothing where there are none. */
function KeysThatStay({ account: { id }, admin }: KeysThatStayProps): ReactNode {
  const t = useUserText();
  const { key } = useAccounts();
  const { data = [] } = useQuery({
    queryKey: [...key, 'keys-in-force', id],
    queryFn: ({ signal }) => admin.users.apiKeys(id, { limit: 100, signal }).all(),
  });
  const count = data.filter((each) => keyState(each) === 'active').length;
  return count > 0 && <Text size="sm">{t('keysStay', { count })}</Text>;
}

/** Disables, enables and deletes a user, sets a password, removes second factors, and sends mails. */
export function UserActions({ account }: { account: Account }): ReactNode {
  const t = useUserText();
  const users = useUsersText();
  const { isReadOnly, mails, project, organizations } = useAccounts();
  const { disable, password, resetFactors, mail, remove } = useActions(account);
  const { data: factors = [] } = useFactors(account);
  const [question, setQuestion] = useState<Question | null>(null);
  const [typed, setTyped] = useState('');
  const done = (): void => {
    setQuestion(null);
    setTyped('');
  };
  if (isReadOnly) return null;
  const failure = mail.error ?? (question === null ? disable.error : null);
  return (
    <>
      {failure !== null && (
        <Text role="alert" size="sm" c="var(--bad)" style={{ alignSelf: 'center' }}>
          {messageOf(failure)}
        </Text>
      )}
      {mail.isSuccess && (
        <Text role="status" size="sm" c="dimmed" style={{ alignSelf: 'center' }}>
          {t('sent')}
        </Text>
      )}
      <Button
        variant="default"
        leftSection={account.disabled ? <UserCheck size={15} /> : <UserX size={15} />}
        loading={disable.isPending}
        onClick={() => {
          if (account.disabled) disable.mutate(false);
          else setQuestion('disable');
        }}
      >
        {t(account.disabled ? 'enable' : 'disable')}
      </Button>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" aria-label={t('actions')} px="xs">
            <EllipsisVertical size={16} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<LockKeyhole size={15} />}
            onClick={() => {
              setQuestion('password');
            }}
          >
            {t('setPassword')}
          </Menu.Item>
          {mails.map((kind) => (
            <Menu.Item
              key={kind}
              leftSection={<Mail size={15} />}
              onClick={() => {
                mail.mutate(kind);
              }}
            >
              {t('send', { mail: users(kind) })}
            </Menu.Item>
          ))}
          {factors.length > 0 && (
            <Menu.Item
              leftSection={<ShieldOff size={15} />}
              onClick={() => {
                setQuestion('factors');
              }}
            >
              {t('removeFactors')}
            </Menu.Item>
          )}
          {project !== null && (
            <Menu.Item
              leftSection={<Trash2 size={15} />}
              onClick={() => {
                setQuestion('delete');
              }}
            >
              {t('delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <FormModal
        title={`${t('disable')}: ${account.email}`}
        isOpen={question === 'disable'}
        onClose={done}
        submit={t('disable')}
        onSubmit={() => {
          disable.mutate(true, { onSuccess: done });
        }}
        isPending={disable.isPending}
        error={disable.error}
        isDangerous
      >
        <Text size="sm">{t('disableQuestion')}</Text>
        {organizations !== null && <KeysThatStay account={account} admin={organizations} />}
      </FormModal>
      <FormModal
        title={t('setPassword')}
        isOpen={question === 'password'}
        onClose={done}
        submit={t('setPassword')}
        onSubmit={() => {
          password.mutate(typed, { onSuccess: done });
        }}
        isPending={password.isPending}
        error={password.error}
      >
        <PasswordInput
          label={t('newPassword')}
          description={t('passwordEffect')}
          autoComplete="new-password"
          required
          withAsterisk={false}
          data-autofocus
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
          }}
        />
      </FormModal>
      <FormModal
        title={`${t('removeFactors')}: ${account.email}`}
        isOpen={question === 'factors'}
        onClose={done}
        submit={t('removeFactorsSubmit')}
        onSubmit={() => {
          resetFactors.mutate(undefined, { onSuccess: done });
        }}
        isPending={resetFactors.isPending}
        error={resetFactors.error}
        isDangerous
      >
        <Text size="sm">{t('removeFactorsEffect')}</Text>
        <Text size="sm">{t('removeFactorsCaution')}</Text>
      </FormModal>
      <FormModal
        title={`${t('delete')}: ${account.email}`}
        isOpen={question === 'delete'}
        onClose={done}
        submit={t('delete')}
        onSubmit={() => {
          remove.mutate();
        }}
        isPending={remove.isPending}
        error={remove.error}
        isDangerous
      >
        <Text size="sm">{t('deleteQuestion')}</Text>
      </FormModal>
    </>
  );
}
