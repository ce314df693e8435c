import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { isAccountId } from '../../parts/account-id.js';
import { FormModal } from '../../parts/form-modal.js';
import { problemAt } from '../../parts/problems.js';
import { useOrganizationsText } from './text.js';
import { useOrganizationAdmin } from './use-organization-admin.js';

interface Values {
  name: string;
  slug: string;
  /** An address or an id. */
  owner: string;
}

/** Asks for a name and an owner, and leads to the new organization. */
export function CreateOrganization({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const t = useOrganizationsText();
  const { admin, path } = useOrganizationAdmin();
  const navigate = useNavigate();
  const form = useForm<Values>({ initialValues: { name: '', slug: '', owner: '' } });
  const create = useMutation({
    mutationFn: ({ name, slug, owner }: Values) => {
      const account = owner.trim();
      return admin.orgs.create({
        name,
        slug,
        ...(isAccountId(account) ? { ownerId: account } : { ownerEmail: account }),
      });
    },
    onSuccess: ({ slug }) => navigate(`${path}/${slug}`),
  });
  const required = { required: true, withAsterisk: false, autoComplete: 'off' } as const;
  return (
    <FormModal
      title={t('create')}
      isOpen={isOpen}
      onClose={onClose}
      submit={t('createSubmit')}
      onSubmit={() => {
        create.mutate(form.values);
      }}
      isPending={create.isPending}
      error={create.error}
      fields={['name', 'slug', 'owner_email']}
    >
      <TextInput
        label={t('name')}
        data-autofocus
        {...required}
        {...form.getInputProps('name')}
        error={problemAt(create.error, 'name')}
      />
      <TextInput
        label={t('slug')}
        description={t('slugHint')}
        {...required}
        {...form.getInputProps('slug')}
        error={problemAt(create.error, 'slug')}
      />
      <TextInput
        label={t('owner')}
        description={t('ownerHint')}
        {...required}
        {...form.getInputProps('owner')}
        error={problemAt(create.error, 'owner_email')}
      />
    </FormModal>
  );
}
