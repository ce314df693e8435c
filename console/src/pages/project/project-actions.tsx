import { Button, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { FormModal } from '../../parts/form-modal.js';
import { problemAt } from '../../parts/problems.js';
import { TypedConfirmation } from '../../parts/typed-confirmation.js';
import { useProjectsText } from '../projects/text.js';
import { hostsOf, redirectUrlsOf, useProjectAdmin } from '../projects/use-project-admin.js';
import type { Project } from '../projects/use-project-admin.js';

function EditProject({ project, onClose }: { project: Project; onClose: () => void }): ReactNode {
  const t = useProjectsText();
  const { projects } = useProjectAdmin();
  const form = useForm({
    initialValues: {
      name: project.name,
      hosts: project.hosts.join('\n'),
      redirectUrls: project.redirect_urls.join('\n'),
    },
  });
  const update = useMutation({
    mutationFn: ({ name, hosts, redirectUrls }: typeof form.values) =>
      projects.update(project.ref, {
        name,
        hosts: hostsOf(hosts),
        redirect_urls: redirectUrlsOf(redirectUrls),
      }),
    onSuccess: onClose,
  });
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
      fields={['name', 'hosts', 'redirect_urls']}
    >
      <TextInput
        label={t('name')}
        data-autofocus
        {...form.getInputProps('name')}
        error={problemAt(update.error, 'name')}
      />
      <Textarea
        label={t('hosts')}
        description={t('hostsHint')}
        autosize
        minRows={2}
        {...form.getInputProps('hosts')}
        error={problemAt(update.error, 'hosts')}
      />
      <Textarea
        label={t('redirectUrls')}
        description={t('redirectUrlsHint')}
        autosize
        minRows={2}
        {...form.getInputProps('redirectUrls')}
        error={problemAt(update.error, 'redirect_urls')}
      />
    </FormModal>
  );
}

function DeleteProject({ project, onClose }: { project: Project; onClose: () => void }): ReactNode {
  const t = useProjectsText();
  const { projects, path } = useProjectAdmin();
  const navigate = useNavigate();
  return (
    <TypedConfirmation
      title={t('delete')}
      question={t('deleteQuestion', { ref: project.ref })}
      expected={project.ref}
      label={t('confirmation')}
      onClose={onClose}
      act={async () => {
        await projects.delete(project.ref);
        await navigate(path);
      }}
    />
  );
}

/** Changes the name, hosts and redirect URLs of a project, and deletes it. */
export function ProjectActions({ project }: { project: Project }): ReactNode {
  const t = useProjectsText();
  const [question, setQuestion] = useState<'edit' | 'delete' | null>(null);
  const close = (): void => {
    setQuestion(null);
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<Pencil size={15} />}
        onClick={() => {
          setQuestion('edit');
        }}
      >
        {t('edit')}
      </Button>
      <Button
        variant="default"
        leftSection={<Trash2 size={15} />}
        onClick={() => {
          setQuestion('delete');
        }}
      >
        {t('delete')}
      </Button>
      {question === 'edit' && <EditProject project={project} onClose={close} />}
      {question === 'delete' && <DeleteProject project={project} onClose={close} />}
    </>
  );
}
