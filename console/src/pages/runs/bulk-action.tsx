import '@mantine/core/styles/Progress.layer.css';
import { Progress, Stack, Text } from '@mantine/core';
import type { Run, RunFilter, RunOperation } from '@service/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FormModal } from '../../parts/form-modal.js';
import { useFormats } from '../../parts/format.js';
import { useTenant } from '../../tenant/tenant.js';
import classes from './bulk-action.module.css';
import { countsByJob } from './bulk-act.js';
import type { BulkAct } from './bulk-act.js';
import { useRunsText } from './text.js';

const POLL_MS = 400;

function OperationProgress({ operation }: { operation: RunOperation }): ReactNode {
  const t = useRunsText();
  const formats = useFormats();
  const { done, total, failed, errors, completed_at: completedAt } = operation;
  const share = total === 0 ? 100 : (done / total) * 100;
  const codes = Object.entries(errors).map(([code, count]) => `${code}: ${formats.number(count)}`);
  return (
    <Stack gap={6} role="status">
      <Progress value={share} aria-label={t('progress')} animated={completedAt === null} />
      <Text size="sm">
        {t(completedAt === null ? 'doing' : 'done', {
          done: formats.number(done - failed),
          total: formats.number(total),
        })}
      </Text>
      {failed > 0 && (
        <Text size="sm" c="var(--bad)">
          {t('failedOnes', { failed: formats.number(failed), codes: codes.join(', ') })}
        </Text>
      )}
    </Stack>
  );
}

interface BulkActionProps {
  readonly act: BulkAct;
  /** Fixed when the dialog opens; runs that are made after the preview are left out. */
  readonly filter: RunFilter;
  /** What the list shows of them, perhaps not all. */
  readonly shown: readonly Run[];
  readonly onClose: () => void;
}

/** Retries or cancels all runs that match: first how many there are, then how far it is. */
export function BulkAction({ act, filter, shown, onClose }: BulkActionProps): ReactNode {
  const t = useRunsText();
  const formats = useFormats();
  const { slug, client } = useTenant();
  const [matching] = useState(filter);
  const [listed] = useState(shown);
  const change = async (until: RunFilter['until'], dryRun: boolean) =>
    await (act === 'retry'
      ? // Of a run and its retries, only the last one.
        client.runs.retryAll({ ...matching, until, retried: false }, { dryRun })
      : client.runs.cancelAll({ ...matching, until }, { dryRun }));
  const preview = useQuery({
    queryKey: ['bulk', slug, act, matching],
    queryFn: () => change(matching.until, true),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const begin = useMutation({ mutationFn: () => change(matching.until ?? preview.data?.at, false) });
  const id = begin.data?.operation_id;
  const operation = useQuery({
    queryKey: ['operation', slug, id],
    queryFn: ({ signal }) => client.runs.operation(id ?? '', { signal }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.completed_at == null ? POLL_MS : false),
  });
  // The runs of the preview may have ended, or been retried, before the operation began.
  const matched = begin.data?.matched === 0 ? 0 : preview.data?.matched;
  const jobs = countsByJob(listed, act, matched);
  const hasBegun = begin.isSuccess && begin.data.matched > 0;
  return (
    <FormModal
      title={t(act === 'retry' ? 'retryAll' : 'cancelAll')}
      isOpen
      onClose={onClose}
      submit={t(hasBegun ? 'close' : act === 'retry' ? 'retrySubmit' : 'cancelSubmit')}
      onSubmit={() => {
        if (hasBegun) onClose();
        else begin.mutate();
      }}
      isPending={begin.isPending || preview.isPending}
      isDisabled={matched === 0 && !hasBegun}
      error={preview.error ?? begin.error ?? operation.error}
      isDangerous={act === 'cancel' && !hasBegun}
      {...(act === 'cancel' ? { dismiss: t('keepThem') } : {})}
      isDone={hasBegun}
    >
      {matched !== undefined && !hasBegun && (
        <Text size="sm">
          {matched === 0
            ? t('noneMatches')
            : t(act === 'retry' ? 'retryPreview' : 'cancelPreview', {
                count: matched,
                number: formats.number(matched),
              })}
        </Text>
      )}
      {jobs.length > 0 && !hasBegun && (
        <Text size="sm" c="dimmed">
          {jobs.map(([job, count]) => (
            <span key={job} className={classes.job}>
              <bdi>{job}</bdi> × {formats.number(count)}
            </span>
          ))}
        </Text>
      )}
      {operation.data !== undefined && <OperationProgress operation={operation.data} />}
    </FormModal>
  );
}
