import { Text, TextInput } from '@mantine/core';
import type { TotpEnrolment } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FormModal } from '../../../parts/form-modal.js';
import { KeyText } from '../../../parts/key-text.js';
import { isCode } from '../../../parts/queries.js';
import { personal } from '../../../tenant/tenant.js';
import classes from './factors.module.css';
import { isGivenUp } from './recent-proof.js';
import { useFactorsText } from './text.js';

export interface AddFactorProps {
  readonly isFirst: boolean;
  readonly withProof: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** With the recovery codes, where it is the first factor. */
  readonly onAdded: (recoveryCodes: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Adds an authenticator application: a name, the key for the application, and a code that shows that it has it. */
export function AddFactor({ isFirst, withProof, onAdded, onClose }: AddFactorProps): ReactNode {
  const t = useFactorsText();
  const [name, setName] = useState('');
  const begin = useMutation({
    mutationFn: () => withProof(() => personal.auth.factors.addTotp(name.trim())),
  });
  if (begin.data !== undefined)
    return <ConfirmFactor enrolment={begin.data} isFirst={isFirst} onAdded={onAdded} onClose={onClose} />;
  return (
    <FormModal
      title={t('addTitle')}
      isOpen
      onClose={onClose}
      submit={t('next')}
      onSubmit={() => {
        begin.mutate();
      }}
      isPending={begin.isPending}
      error={isGivenUp(begin.error) ? null : begin.error}
    >
      <TextInput
        label={t('name')}
        description={t('nameHint')}
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

interface ConfirmFactorProps extends Pick<AddFactorProps, 'isFirst' | 'onAdded' | 'onClose'> {
  readonly enrolment: TotpEnrolment;
}

function ConfirmFactor({ enrolment, isFirst, onAdded, onClose }: ConfirmFactorProps): ReactNode {
  const t = useFactorsText();
  const [code, setCode] = useState('');
  const confirm = useMutation({
    mutationFn: () => personal.auth.factors.confirmTotp(enrolment.id, code.replaceAll(/\s/g, '')),
    onSuccess: ({ recovery_codes: codes = [] }) => {
      onAdded(codes);
    },
  });
  const isWrong = isCode(confirm.error, 'invalid_second_factor');
  return (
    <FormModal
      title={t('addTitle')}
      isOpen
      onClose={onClose}
      submit={t('confirm')}
      onSubmit={() => {
        confirm.mutate();
      }}
      isPending={confirm.isPending}
      error={isWrong ? null : confirm.error}
    >
      <Text size="sm">{t('scan')}</Text>
      <img
        className={classes.qr}
        alt={t('qr')}
        src={`data:image/svg+xml,${encodeURIComponent(enrolment.qr_svg)}`}
      />
      <KeyText name={t('key')} value={enrolment.secret} />
      <TextInput
        label={t('code')}
        required
        withAsterisk={false}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={16}
        data-autofocus
        value={code}
        onChange={(event) => {
          setCode(event.currentTarget.value);
        }}
        error={isWrong ? t('invalidCode') : undefined}
        {...(isFirst ? { description: t('firstHint') } : {})}
      />
    </FormModal>
  );
}
