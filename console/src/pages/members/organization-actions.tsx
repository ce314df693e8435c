import { Button, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { FormModal } from '../../parts/form-modal.js';
import { Card } from '../../parts/page.js';
import { problemAt } from '../../parts/problems.js';
import { TypedConfirmation } from '../../parts/typed-confirmation.js';
import { pathOf, useOrganizationClient, useTenant } from '../../tenant/tenant.js';
import { useMembersText } from './text.js';

/** Where this part of the page is, for links to it. */
const HASH = '#organization';

function EditOrganization({ onClose }: { onClose: () => void }): ReactNode {
  const t = useMembersText();
  const { name, slug } = useTenant();
  const { orgs } = useOrganizationClient();
  const navigate = useNavigate();
  const form = useForm({ initialValues: { name, slug } });
  const update = useMutation({
    mutationFn: (values: typeof form.values) => orgs.update(values),
    onSuccess: async (organization) => {
      onClose();
      await navigate(`${pathOf(organization)}/members`, { replace: true });
    },
  });
  const required = { required: true, withAsterisk: false, autoComplete: 'off' } as const;
  return (
    <FormModal
      title={t('editTitle')}
      isOpen
      onClose={onClose}
      submit={t('save')}
      onSubmit={() => {
        update.mutate(form.values);
      }}
      isPending={update.isPending}
      error={update.error}
      fields={['name', 'slug']}
    >
      <TextInput
        label={t('organizationName')}
        dir="auto"
        data-autofocus
        {...required}
        {...form.getInputProps('name')}
        error={problemAt(update.error, 'name')}
      />
      <TextInput
        label={t('slug')}
        description={t('slugHint')}
        spellCheck={false}
        {...required}
        {...form.getInputProps('slug')}
        error={problemAt(update.error, 'slug')}
      />
    </FormModal>
  );
}

function DeleteOrganization({ onClose }: { onClose: () => void }): ReactNode {
  const t = useMembersText();
  const { id, name, slug } = useTenant();
  const { orgs } = useOrganizationClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <TypedConfirmation
      title={t('deleteOrganization')}
      question={t('deleteQuestion', { name, slug })}
      expected={slug}
      label={t('slug')}
      onClose={onClose}
      act={async () => {
        await orgs.delete(id);
        // The start leads to one of those that are left.
        await queries.invalidateQueries({ queryKey: ['organizations'] });
        await navigate('/');
      }}
    />
  );
}

/** Names the organization anew, and deletes it, for those who may. */
export function OrganizationActions(): ReactNode {
  const t = useMembersText();
  const { name, slug, may } = useTenant();
  const { hash } = useLocation();
  const place = useRef<HTMLDivElement>(null);
  const [question, setQuestion] = useState<'editOrganization' | 'deleteOrganization' | null>(null);
  useEffect(() => {
    if (hash === HASH) place.current?.scrollIntoView();
  }, [hash]);
  const close = (): void => {
    setQuestion(null);
  };
  const actions = (['editOrganization', 'deleteOrganization'] as const).filter((act) =>
    may(act === 'editOrganization' ? 'auth:orgs:update' : 'auth:orgs:delete'),
  );
  if (actions.length === 0) return null;
  return (
    <div ref={place}>
      <Card
        title={t('organization')}
        action={
          <Group gap="xs">
            {actions.map((act) => (
              <Button
                key={act}
                size="compact-sm"
                variant="default"
                onClick={() => {
                  setQuestion(act);
                }}
              >
                {t(act)}
              </Button>
            ))}
          </Group>
        }
      >
        <Text size="sm">
          <bdi>{name}</bdi> <code>{slug}</code>
        </Text>
      </Card>
      {question === 'editOrganization' && <EditOrganization onClose={close} />}
      {question === 'deleteOrganization' && <DeleteOrganization onClose={close} />}
    </div>
  );
}
