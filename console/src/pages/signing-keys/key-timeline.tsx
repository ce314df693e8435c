import type { SigningKey } from '@service/client';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useFormats } from '../../parts/format.js';
import { Card } from '../../parts/page.js';
import classes from './key-timeline.module.css';
import { useSigningKeysText } from './text.js';

/** What lies ahead is a part of the line, even if nothing there is known. */
const AHEAD = 0.12;
const PHASES = ['published', 'signing', 'verifying'] as const;

interface Phase {
  readonly kind: (typeof PHASES)[number];
  readonly from: number;
  readonly until: number;
}

const instantOf = (iso: string): number => new Date(iso).getTime();

/** What a key does when: it is published, signs until the next one does, and verifies until its last token has expired. */
function phasesOf(key: SigningKey, next: SigningKey | undefined, end: number): Phase[] {
  const [created, signs] = [instantOf(key.created_at), instantOf(key.signs_at)];
  const retires = key.retires_at === null ? end : instantOf(key.retires_at);
  const handsOver = Math.min(next === undefined ? retires : instantOf(next.signs_at), retires);
  const phases: Phase[] = [
    { kind: 'published', from: created, until: Math.max(created, signs) },
    { kind: 'signing', from: signs, until: Math.max(signs, handsOver) },
    { kind: 'verifying', from: Math.max(signs, handsOver), until: next === undefined ? handsOver : retires },
  ];
  return phases.filter(({ from, until }) => until > from);
}

/** The keys of the list on one time line; the table beside it says the same to screen readers. */
export function KeyTimeline({ keys }: { keys: readonly SigningKey[] }): ReactNode {
  const t = useSigningKeysText();
  const formats = useFormats();
  const [now] = useState(() => Date.now());
  const shown = keys.filter(({ state }) => state !== 'retired');
  if (shown.length === 0) return null;
  const begin = Math.min(now - 1, ...shown.map(({ created_at }) => instantOf(created_at)));
  const last = Math.max(
    now,
    ...shown.flatMap(({ signs_at, retires_at }) => [signs_at, retires_at ?? signs_at].map(instantOf)),
  );
  const end = last + (last - begin) * AHEAD;
  const percent = (at: number): string => `${((at - begin) / (end - begin)) * 100}%`;
  const inOrder = [...shown].sort((left, right) => instantOf(left.signs_at) - instantOf(right.signs_at));
  return (
    <Card title={t('timeline')}>
      <div className={classes.timeline} aria-hidden>
        <div className={classes.legend}>
          {PHASES.map((phase) => (
            <span key={phase} data-phase={phase}>
              {t(phase)}
            </span>
          ))}
        </div>
        <div className={classes.rows}>
          {inOrder.map((key, index) => (
            <div key={key.kid} className={classes.row}>
              <code>…{key.kid.slice(-10)}</code>
              <div className={classes.track}>
                {phasesOf(key, inOrder[index + 1], end).map(({ kind, from, until }) => (
                  <span
                    key={kind}
                    data-phase={kind}
                    title={`${t(kind)}: ${formats.instant(new Date(from).toISOString())}`}
                    style={{
                      left: percent(from),
                      width: `max(3px, ${((until - from) / (end - begin)) * 100}%)`,
                    }}
                  />
                ))}
                <i style={{ left: percent(now) }} />
              </div>
            </div>
          ))}
        </div>
        <div className={classes.axis}>
          <span>{formats.instant(new Date(begin).toISOString())}</span>
          <span className={classes.now} style={{ left: percent(now) }}>
            {t('now')}
          </span>
          {last > now && (
            <span className={classes.last} style={{ left: percent(last) }}>
              {formats.instant(new Date(last).toISOString())}
            </span>
          )}
        </div>
      </div>
    </Card>
  );
}
