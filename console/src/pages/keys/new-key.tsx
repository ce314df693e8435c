import { Button, Group, Stack, Text } from '@mantine/core';
import type { CreatedApiKey } from '@service/client';
import type { ReactNode } from 'react';
import { Modal } from '../../parts/modal.js';
import { usePartsText } from '../../parts/text.js';
import { useTenant } from '../../tenant/tenant.js';
import { KeyText } from '../../parts/key-text.js';
import { useKeysText } from './text.js';

interface NewKeyProps {
  readonly created: CreatedApiKey;
  readonly onClose: () => void;
}

/** The key, which no later answer shows, and a call that shows that it works. */
export function NewKey({ created: { key }, onClose }: NewKeyProps): ReactNode {
  const t = useKeysText();
  const parts = usePartsText();
  const { slug } = useTenant();
  const call = `curl -s ${location.origin}/auth/v1/orgs/${slug}/permissions -H 'X-API-Key: ${key}'`;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('newTitle')}
      closeButtonProps={{ 'aria-label': parts('close') }}
      closeOnClickOutside={false}
      size="lg"
      centered
    >
      <Stack>
        <Text size="sm">{t('newText')}</Text>
        <KeyText name={t('key')} value={key} />
        <KeyText name={t('tryIt')} value={call} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('done')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
