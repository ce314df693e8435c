import { Alert, Button, CopyButton, Group, Stack } from '@mantine/core';
import { Copy, KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { KeyText } from '../../parts/key-text.js';
import { Modal } from '../../parts/modal.js';
import { useProjectsText } from './text.js';
import type { ProjectWithKeys } from './use-project-admin.js';

/** All that a program needs to use the project, as variables of an environment. */
function blockOf(ref: string, anonKey: string, serviceKey: string): string {
  return [
    `SERVICE_URL=${location.origin}`,
    `SERVICE_PROJECT_REF=${ref}`,
    `SERVICE_ANON_KEY=${anonKey}`,
    `SERVICE_KEY=${serviceKey}`,
    '',
  ].join('\n');
}

/** The keys of a project, with the service key that is shown this once; it closes by its button alone. */
export function NewKeys({
  project: { name, ref, anon_key, service_key },
  onClose,
}: {
  project: ProjectWithKeys;
  onClose: () => void;
}): ReactNode {
  const t = useProjectsText();
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={t('keysTitle', { name })}
      size="lg"
      centered
    >
      <Stack>
        {service_key !== undefined && (
          <>
            <Alert color="yellow" variant="default" icon={<KeyRound size={17} />}>
              {t('keysAbout')}
            </Alert>
            <KeyText name={t('serviceKey')} hint={t('serviceHint')} value={service_key} />
          </>
        )}
        <KeyText name={t('anonKey')} hint={t('anonHint')} value={anon_key} />
        <Group justify="flex-end" gap="xs">
          {service_key !== undefined && (
            <CopyButton value={blockOf(ref, anon_key, service_key)}>
              {({ copied, copy }) => (
                <Button variant="default" leftSection={<Copy size={15} />} onClick={copy}>
                  {t(copied ? 'allCopied' : 'copyAll')}
                </Button>
              )}
            </CopyButton>
          )}
          <Button onClick={onClose}>{t('done')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
