import { TextInput } from '@mantine/core';
import type { Factor } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FormModal } from '../../../parts/form-modal.js';
import { personal } from '../../../tenant/tenant.js';
import type { AddFactorProps } from './add-factor.js';
import { isGivenUp } from './recent-proof.js';
import { useFactorsText } from './text.js';

interface RenameFactorProps extends Pick<AddFactorProps, 'withProof' | 'onClose'> {
  readonly factor: Factor;
}

export function RenameFactor({ factor, withProof, onClose }: RenameFactorProps): ReactNode {
  const t = useFactorsText();
  const [name, setName] = useState(factor.name);
  const rename = useMutation({
    mutationFn: () => withProof(() => personal.auth.factors.rename(factor.id, name.trim())),
    onSuccess: onClose,
  });
  return (
    <FormModal
      title={t('renameTitle', { name: factor.name })}
      isOpen
      onClose={onClose}
      submit={t('rename')}
      onSubmit={() => {
        rename.mutate();
      }}
      isPending={rename.isPending}
      error={isGivenUp(rename.error) ? null : rename.error}
    >
      <TextInput
        label={t('name')}
        required
        withAsterisk={false}
        maxLength={100}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
    </FormModal>
  );
}
