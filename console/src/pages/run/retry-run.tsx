import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { RunDetails } from '@service/client';
import { ChevronDown, PencilLine, RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useTenant } from '../../tenant/tenant.js';
import { RetryForm } from './retry-form.js';
import classes from './run-page.module.css';
import { useRunText } from './text.js';
import type { useRunActions } from './use-run.js';

interface RetryRunProps {
  readonly run: RunDetails;
  readonly retry: ReturnType<typeof useRunActions>['retry'];
}

/** Runs it again as it is, or with a payload that is edited first. */
export function RetryRun({ run, retry }: RetryRunProps): ReactNode {
  const t = useRunText();
  const { path } = useTenant();
  const navigate = useNavigate();
  const [isEdited, { open, close }] = useDisclosure();
  const show = (id: string): void => {
    void navigate(`${path}/runs/${id}`);
  };
  return (
    <Group gap={1} wrap="nowrap">
      <Button
        className={classes.retry}
        leftSection={<RotateCcw size={15} />}
        loading={retry.isPending}
        onClick={() => {
          retry.mutate(undefined, {
            onSuccess: ({ id }) => {
              show(id);
            },
          });
        }}
      >
        {t('retry')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size={36} className={classes.retryMore} aria-label={t('retryOtherwise')}>
            <ChevronDown size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<PencilLine size={15} />} onClick={open}>
            {t('retryEdited')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isEdited && <RetryForm run={run} onRetried={show} onClose={close} />}
    </Group>
  );
}
