import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { FormModal } from '../../parts/form-modal.js';
import { slugOf } from '../../parts/slug-of.js';
import { NewKeys } from './new-keys.js';
import { useProjectsText } from './text.js';
import { hostsOf, useProjectAdmin } from './use-project-admin.js';
import type { ProjectWithKeys } from './use-project-admin.js';

interface Values {
  name: string;
  ref: string;
  hosts: string;
}

/** Asks for a name and a ref, shows the keys once, and leads to the new project. */
export function CreateProject({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const t = useProjectsText();
  const { projects, path } = useProjectAdmin();
  const navigate = useNavigate();
  const [made, setMade] = useState<ProjectWithKeys | null>(null);
  const form = useForm<Values>({ initialValues: { name: '', ref: '', hosts: '' } });
  const create = useMutation({
    mutationFn: ({ name, ref, hosts }: Values) => projects.create({ name, ref, hosts: hostsOf(hosts) }),
    onSuccess: (project) => {
      setMade(project);
      onClose();
    },
  });
  const required = { required: true, withAsterisk: false, autoComplete: 'off' } as const;
  return (
    <>
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
      >
        <TextInput
          label={t('name')}
          data-autofocus
          {...required}
          {...form.getInputProps('name')}
          onChange={({ currentTarget: { value } }) => {
            const follows = form.values.ref === slugOf(form.values.name);
            form.setValues(follows ? { name: value, ref: slugOf(value) } : { name: value });
          }}
        />
        <TextInput label={t('ref')} description={t('refHint')} {...required} {...form.getInputProps('ref')} />
        <Textarea
          label={t('hosts')}
          description={t('hostsHint')}
          autosize
          minRows={2}
          {...form.getInputProps('hosts')}
        />
      </FormModal>
      {made !== null && (
        <NewKeys
          project={made}
          onClose={() => {
            void navigate(`${path}/${made.ref}`);
          }}
        />
      )}
    </>
  );
}
