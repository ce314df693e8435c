import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { CreatedInvitation } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FormModal } from '../../parts/form-modal.js';
import { Modal } from '../../parts/modal.js';
import { problemAt } from '../../parts/problems.js';
import { Identifier } from '../../parts/identifier.js';
import { usePartsText } from '../../parts/text.js';
import { useSessionOptions } from '../../session/use-session-options.js';
import { useOrganizationClient } from '../../tenant/tenant.js';
import { RoleSelect } from './role-select.js';
import { useMembersText } from './text.js';

/** Shows the link of an invitation that no mail carries. */
export function InvitationLink({
  invitation: { email, link },
  onClose,
}: {
  invitation: CreatedInvitation;
  onClose: () => void;
}): ReactNode {
  const t = useMembersText();
  const parts = usePartsText();
  if (link === undefined) return null;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('linkTitle')}
      closeButtonProps={{ 'aria-label': parts('close') }}
      centered
    >
      <Stack>
        <Text size="sm">{t('linkText', { email })}</Text>
        <Identifier value={link} what={t('link')} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('done')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface InviteMemberProps {
  readonly onInvited: (invitation: CreatedInvitation) => void;
  readonly onClose: () => void;
}

export function InviteMember({ onInvited, onClose }: InviteMemberProps): ReactNode {
  const t = useMembersText();
  const { invitations } = useOrganizationClient();
  const { data: options } = useSessionOptions();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('member');
  const invite = useMutation({
    mutationFn: () => invitations.create({ email: email.trim(), role }),
    onSuccess: onInvited,
  });
  return (
    <FormModal
      title={t('inviteTitle')}
      isOpen
      onClose={onClose}
      submit={t(options?.mail_configured === false ? 'makeLink' : 'send')}
      onSubmit={() => {
        invite.mutate();
      }}
      isPending={invite.isPending}
      isDisabled={email.trim() === ''}
      error={invite.error}
      fields={['email']}
    >
      <TextInput
        label={t('email')}
        type="email"
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
        value={email}
        error={problemAt(invite.error, 'email')}
        onChange={({ currentTarget }) => {
          setEmail(currentTarget.value);
        }}
      />
      <RoleSelect label={t('role')} value={role} onChange={setRole} />
    </FormModal>
  );
}
