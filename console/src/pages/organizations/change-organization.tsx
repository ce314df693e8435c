import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ButtonProps } from '@mantine/core';
import type { Organization } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FormModal } from '../../parts/form-modal.js';
import { problemAt } from '../../parts/problems.js';
import { TypedConfirmation } from '../../parts/typed-confirmation.js';
import { useOrganizationChangeText } from './change-text.js';

type Names = Pick<Organization, 'name' | 'slug'>;

interface EditProps {
  readonly organization: Names;
  readonly save: (names: Partial<Names>) => Promise<void>;
  readonly onClose: () => void;
}

function EditOrganization({ organization: { name, slug }, save, onClose }: EditProps): ReactNode {
  const t = useOrganizationChangeText();
  const form = useForm({ initialValues: { name, slug } });
  const update = useMutation({
    // What was not touched here may have been changed elsewhere meanwhile.
    mutationFn: ({ name: newName, slug: newSlug }: Names) =>
      save({
        ...(newName === name ? {} : { name: newName }),
        ...(newSlug === slug ? {} : { slug: newSlug }),
      }),
    onSuccess: onClose,
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
        label={t('name')}
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

interface ChangeProps {
  readonly organization: Names;
  /** Absent for those who may not. */
  readonly save?: ((names: Partial<Names>) => Promise<void>) | undefined;
  /** Absent for those who may not. */
  readonly remove?: (() => Promise<void>) | undefined;
  readonly size?: ButtonProps['size'];
}

/** Buttons that name an organization anew, or delete it once its short name has been typed. */
export function ChangeOrganization({ organization, save, remove, size }: ChangeProps): ReactNode {
  const t = useOrganizationChangeText();
  const [question, setQuestion] = useState<'edit' | 'delete' | null>(null);
  const close = (): void => {
    setQuestion(null);
  };
  const { name, slug } = organization;
  const questions = [
    ...(save === undefined ? [] : ['edit' as const]),
    ...(remove === undefined ? [] : ['delete' as const]),
  ];
  return (
    <>
      {questions.map((each) => (
        <Button
          key={each}
          size={size}
          variant="default"
          onClick={() => {
            setQuestion(each);
          }}
        >
          {t(each)}
        </Button>
      ))}
      {question === 'edit' && save !== undefined && (
        <EditOrganization organization={organization} save={save} onClose={close} />
      )}
      {question === 'delete' && remove !== undefined && (
        <TypedConfirmation
          title={t('delete')}
          question={t('deleteQuestion', { name, slug })}
          expected={slug}
          label={t('slug')}
          onClose={close}
          act={remove}
        />
      )}
    </>
  );
}
