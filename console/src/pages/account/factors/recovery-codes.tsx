import { Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import { Check, Copy, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Modal } from '../../../parts/modal.js';
import classes from './factors.module.css';
import { useFactorsText } from './text.js';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Shows recovery codes, once. Only the button closes it, so that no stray key loses them. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps): ReactNode {
  const t = useFactorsText();
  const text = `${codes.join('\n')}\n`;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('codes')}
      centered
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text size="sm">{t('codesText')}</Text>
        <ul className={classes.codes}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <CopyButton value={text}>
              {({ copied, copy }) => (
                <Button
                  variant="default"
                  leftSection={copied ? <Check size={14} /> : <Copy size={14} />}
                  onClick={copy}
                >
                  {t(copied ? 'copied' : 'copyCodes')}
                </Button>
              )}
            </CopyButton>
            <Button
              component="a"
              variant="default"
              leftSection={<Download size={14} />}
              href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
              download="recovery-codes.txt"
            >
              {t('download')}
            </Button>
          </Group>
          <Button onClick={onClose} data-autofocus>
            {t('kept')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
