import type { Job } from '@service/client';
import { CalendarClock, DatabaseZap, RadioTower, Webhook as WebhookIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { JsonView } from '../../parts/json-view.js';
import { Card } from '../../parts/page.js';
import { useTriggerWords } from '../../tenant/trigger-words.js';
import classes from './job-page.module.css';
import { useJobText } from './text.js';

const ICONS = { cron: CalendarClock, webhook: WebhookIcon, data: DatabaseZap, event: RadioTower } as const;

/** What sets the job going, as sentences, and as the manifest has it. */
export function Triggers({ job: { triggers } }: { job: Job }): ReactNode {
  const t = useJobText();
  const words = useTriggerWords();
  if (triggers.length === 0) return <Card title={t('triggers')}>{t('noTriggers')}</Card>;
  return (
    <Card title={t('triggers')}>
      <ul className={classes.triggers}>
        {triggers.map((trigger, index) => {
          const Icon = ICONS[trigger.type];
          return (
            <li key={index}>
              <Icon size={16} aria-hidden />
              <span>
                {words.of(trigger)}
                {trigger.type === 'cron' && <code>{trigger.schedule}</code>}
              </span>
            </li>
          );
        })}
      </ul>
      <details className={classes.definition}>
        <summary>{t('definition')}</summary>
        <JsonView value={triggers} label={t('triggers')} />
      </details>
    </Card>
  );
}
