import { Alert, Button, Modal, Stack } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { KeyText } from '../../parts/key-text.js';
import { useProjectsText } from './text.js';
import type { ProjectWithKeys } from './use-project-admin.js';

/** The keys of a project, with the service key that is shown this once; it closes by its button alone. */
export function NewKeys({
  project: { name, anon_key, service_key },
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
        <Button onClick={onClose} style={{ alignSelf: 'flex-end' }}>
          {t('done')}
        </Button>
      </Stack>
    </Modal>
  );
}
