import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { FormModal } from '../../parts/form-modal.js';
import { Card } from '../../parts/page.js';
import { isCode } from '../../parts/queries.js';
import { useOrganizationClient, useTenant } from '../../tenant/tenant.js';
import { useMembersText } from './text.js';

/** Whether members need a second factor, for those who may change the organization. */
export function SecondFactorPolicy(): ReactNode {
  const t = useMembersText();
  const { slug } = useTenant();
  const { orgs } = useOrganizationClient();
  const [isOpen, { open, close }] = useDisclosure();
  /** What the dialog asks for. It stays so while the dialog closes, though the setting has changed by then. */
  const [isAsked, setIsAsked] = useState(true);
  const { data } = useQuery({
    queryKey: ['organization', slug],
    queryFn: ({ signal }) => orgs.get(undefined, { signal }),
  });
  const set = useMutation({
    mutationFn: (isRequired: boolean) => orgs.update({ require_second_factor: isRequired }),
    onSuccess: close,
  });
  if (data === undefined) return null;
  const isRequired = data.require_second_factor;
  const lacksOwn = isCode(set.error, 'factor_required');
  const change = (toRequired: boolean): string => t(toRequired ? 'startFactorPolicy' : 'stopFactorPolicy');
  const ask = (): void => {
    setIsAsked(!isRequired);
    open();
  };
  return (
    <Card
      title={t('factorPolicy')}
      action={
        <Button size="compact-sm" variant="default" onClick={ask}>
          {change(!isRequired)}
        </Button>
      }
    >
      <Text size="sm">{t(isRequired ? 'factorPolicyOn' : 'factorPolicyOff')}</Text>
      <FormModal
        title={t('factorPolicy')}
        isOpen={isOpen}
        onClose={() => {
          set.reset();
          close();
        }}
        submit={change(isAsked)}
        onSubmit={() => {
          set.mutate(isAsked);
        }}
        isPending={set.isPending}
        error={lacksOwn ? null : set.error}
      >
        <Text size="sm">{t(isAsked ? 'startFactorPolicyText' : 'stopFactorPolicyText')}</Text>
        {lacksOwn && (
          <Text role="alert" size="sm" c="var(--bad)">
            {t('ownFactorFirst')} <Link to="/account">{t('toAccount')}</Link>
          </Text>
        )}
      </FormModal>
    </Card>
  );
}
