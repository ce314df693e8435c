import { Loader, SegmentedControl } from '@mantine/core';
import type { FollowedLine, LogLevel } from '@service/client';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useFilters } from '../../parts/filters.js';
import { useFormats } from '../../parts/format.js';
import { Card } from '../../parts/page.js';
import { Failure } from '../../parts/states.js';
import { withoutAnsi } from './ansi.js';
import classes from './run-log.module.css';
import { useRunText } from './text.js';
import { useRunLog } from './use-run.js';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const satisfies readonly LogLevel[];
/** Reading further up stops the log from following. */
const NEAR_END_PX = 40;

function Line({ line: { at, level, message, attempt } }: { line: FollowedLine }): ReactNode {
  const formats = useFormats();
  return (
    <div className={classes.line} data-level={level}>
      <time dateTime={at} title={`${formats.full(at)} · ${at}`}>
        {formats.millisecond(at)}
      </time>
      <span className={classes.level}>{level}</span>
      <span className={classes.attempt}>{attempt === null ? '' : `#${attempt}`}</span>
      <span className={classes.message} dir="auto">
        {withoutAnsi(message)}
      </span>
    </div>
  );
}

/** The log of a run, which goes on while the run does. */
export function RunLog({ runId, isLive }: { runId: string; isLive: boolean }): ReactNode {
  const { values, set } = useFilters(['level']);
  const level = LEVELS.find((each) => each === values.level) ?? 'debug';
  const setLevel = (chosen: string): void => {
    set({ level: chosen === 'debug' ? null : chosen });
  };
  return <LogFrom key={level} runId={runId} isLive={isLive} level={level} onLevel={setLevel} />;
}

interface LogFromProps {
  readonly runId: string;
  /** Whether the run goes on: its log is then read from the end, and that of an ended one from the top. */
  readonly isLive: boolean;
  readonly level: LogLevel;
  readonly onLevel: (level: string) => void;
}

function LogFrom({ runId, isLive, level, onLevel }: LogFromProps): ReactNode {
  const t = useRunText();
  const { lines, error, isComplete } = useRunLog(runId, level);
  const frame = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(isLive);
  useEffect(() => {
    const element = frame.current;
    if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [lines]);
  return (
    <Card
      flush
      title={
        <span className={classes.title}>
          {t('log')}
          <span className={classes.state} data-live={!isComplete || undefined}>
            {t(isComplete ? 'complete' : 'following')}
          </span>
        </span>
      }
      action={
        <SegmentedControl
          size="xs"
          aria-label={t('levels')}
          value={level}
          onChange={onLevel}
          data={[
            { value: 'debug', label: t('debug') },
            { value: 'info', label: t('info') },
            { value: 'warn', label: t('warn') },
            { value: 'error', label: t('errors') },
          ]}
        />
      }
    >
      {error !== null ? (
        <Failure error={error} />
      ) : (
        <div
          ref={frame}
          className={classes.lines}
          tabIndex={0}
          role="log"
          aria-label={t('log')}
          onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
            isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
          }}
        >
          {lines.map((line, index) => (
            <Line key={line.event_id === '' ? index : line.event_id} line={line} />
          ))}
          {lines.length === 0 && (
            <div className={classes.empty}>
              {isComplete ? t('noLines') : <Loader size="xs" type="dots" />}
            </div>
          )}
        </div>
      )}
    </Card>
  );
}
