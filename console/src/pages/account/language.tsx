import { Select } from '@mantine/core';
import type { CurrentUser } from '@service/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { MAIL_LANGUAGES } from '../../parts/mail-languages.js';
import { messageOf } from '../../parts/queries.js';
import { personal } from '../../tenant/tenant.js';
import { useAccountText } from './text.js';

/** The language of the mails and pages that the person gets. */
export function Language({ user: { locale } }: { user: CurrentUser }): ReactNode {
  const t = useAccountText();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (wanted: string | null) => personal.auth.update({ locale: wanted }),
    onSuccess: (saved) => {
      queries.setQueryData(['account'], saved);
    },
  });
  const own = locale !== undefined && MAIL_LANGUAGES.every(({ value }) => value !== locale) ? [locale] : [];
  return (
    <Select
      label={t('language')}
      description={t('languageHint')}
      placeholder={t('languageOfBrowser')}
      w={{ base: '100%', xs: 320 }}
      clearable
      clearButtonProps={{ 'aria-label': t('languageOfBrowser') }}
      data={[...own.map((value) => ({ value, label: value })), ...MAIL_LANGUAGES]}
      value={locale ?? null}
      disabled={save.isPending}
      onChange={(wanted) => {
        save.mutate(wanted);
      }}
      error={save.error === null ? undefined : messageOf(save.error)}
    />
  );
}
