import { Button } from '@mantine/core';
import type { StepSummary } from '@service/client';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useFormats } from '../../parts/format.js';
import { Instant } from '../../parts/instant.js';
import { JsonView } from '../../parts/json-view.js';
import { Card } from '../../parts/page.js';
import { messageOf } from '../../parts/queries.js';
import { Failure } from '../../parts/states.js';
import classes from './steps.module.css';
import { useRunText } from './text.js';
import { useStep, useSteps } from './use-run.js';

/** Of a run with more, the others are shown on demand. */
const SHOWN = 10;

function Value({ runId, name }: { runId: string; name: string }): ReactNode {
  const t = useRunText();
  const { data, error } = useStep(runId, name);
  if (error !== null) return <p role="alert">{messageOf(error)}</p>;
  return data === undefined ? (
    <p aria-busy="true">{t('loadingStep')}</p>
  ) : (
    <JsonView value={data.value} label={t('valueOf', { name })} />
  );
}

function StepRow({ runId, step }: { runId: string; step: StepSummary }): ReactNode {
  const t = useRunText();
  const formats = useFormats();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className={classes.step}
      onToggle={(event) => {
        setIsOpen(event.currentTarget.open);
      }}
    >
      <summary>
        <ChevronRight size={15} aria-hidden />
        <span className={classes.line}>
          <bdi className={classes.name}>{step.name}</bdi>
          <span className={classes.facts}>
            {t('attempt', { number: step.attempt })} · {formats.bytes(step.value_bytes)} ·{' '}
            <Instant at={step.created_at} withSeconds />
          </span>
        </span>
      </summary>
      {isOpen && <Value runId={runId} name={step.name} />}
    </details>
  );
}

/** What the handler of a run has kept; nothing for a run without steps. */
export function Steps({ runId }: { runId: string }): ReactNode {
  const t = useRunText();
  const { data, error, refetch } = useSteps(runId);
  const [isWhole, setIsWhole] = useState(false);
  const steps = data ?? [];
  if (data === undefined && error !== null)
    return (
      <Card title={t('steps')}>
        <Failure error={error} onRetry={() => void refetch()} />
      </Card>
    );
  if (steps.length === 0) return null;
  const shown = isWhole ? steps : steps.slice(0, SHOWN);
  return (
    <Card title={t('steps')}>
      <div className={classes.steps}>
        {shown.map((step) => (
          <StepRow key={step.name} runId={runId} step={step} />
        ))}
      </div>
      {shown.length < steps.length && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          mt="xs"
          onClick={() => {
            setIsWhole(true);
          }}
        >
          {t('allSteps', { count: steps.length })}
        </Button>
      )}
    </Card>
  );
}
