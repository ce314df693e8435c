import { Button } from '@mantine/core';
import type { Job } from '@service/client';
import { CalendarClock, DatabaseZap, RadioTower, Webhook as WebhookIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Card } from '../../parts/page.js';
import { useTenant } from '../../tenant/tenant.js';
import { useTriggerWords } from '../../tenant/trigger-words.js';
import classes from './job-page.module.css';
import { useJobText } from './text.js';

const ICONS = { cron: CalendarClock, webhook: WebhookIcon, data: DatabaseZap, event: RadioTower } as const;

/** What sets the job going, as sentences. */
export function Triggers({ job: { id, triggers } }: { job: Job }): ReactNode {
  const t = useJobText();
  const words = useTriggerWords();
  const { path, may } = useTenant();
  const edit = may('jobs:jobs:write') && (
    <Button
      component={Link}
      to={`${path}/manifest?job=${encodeURIComponent(id)}`}
      size="compact-sm"
      variant="default"
    >
      {t(triggers.length === 0 ? 'addTrigger' : 'editTriggers')}
    </Button>
  );
  if (triggers.length === 0)
    return (
      <Card title={t('triggers')} action={edit}>
        {t('noTriggers')}
      </Card>
    );
  return (
    <Card title={t('triggers')} action={edit}>
      <ul className={classes.triggers}>
        {triggers.map((trigger, index) => {
          const Icon = ICONS[trigger.type];
          return (
            <li key={index}>
              <Icon size={16} aria-hidden />
              <span>
                {words.of(trigger)}
                {trigger.type === 'cron' && <code>{trigger.schedule}</code>}
                {trigger.type === 'webhook' && trigger.forward_headers !== undefined && (
                  <div className={classes.note}>
                    {t('forwarded', { headers: trigger.forward_headers.join(', ') })}
                  </div>
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
