import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { CreatedInvitation } from '@service/client';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Page } from '../../parts/page.js';
import { useTenant } from '../../tenant/tenant.js';
import { InvitationList } from './invitation-list.js';
import { InvitationLink, InviteMember } from './invite-member.js';
import { MemberList } from './member-list.js';
import { OrganizationActions } from './organization-actions.js';
import { SecondFactorPolicy } from './second-factor-policy.js';
import { useMembersText } from './text.js';

export default function MembersPage(): ReactNode {
  const t = useMembersText();
  const { may } = useTenant();
  const [isOpen, { open, close }] = useDisclosure();
  const [invited, setInvited] = useState<CreatedInvitation | null>(null);
  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={
        may('auth:members:invite') && (
          <Button leftSection={<UserPlus size={15} />} onClick={open}>
            {t('invite')}
          </Button>
        )
      }
    >
      <MemberList />
      <InvitationList onInvited={setInvited} />
      {may('auth:orgs:update') && <SecondFactorPolicy />}
      <OrganizationActions />
      {isOpen && (
        <InviteMember
          onInvited={(invitation) => {
            close();
            setInvited(invitation);
          }}
          onClose={close}
        />
      )}
      {invited !== null && (
        <InvitationLink
          invitation={invited}
          onClose={() => {
            setInvited(null);
          }}
        />
      )}
    </Page>
  );
}
