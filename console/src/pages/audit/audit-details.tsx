import '@mantine/core/styles/SimpleGrid.layer.css';
import { SimpleGrid, Stack, Title } from '@mantine/core';
import type { AuditEntry } from '@service/client';
import type { ReactNode } from 'react';
import { Facts } from '../../parts/facts.js';
import type { Fact } from '../../parts/facts.js';
import { Identifier } from '../../parts/identifier.js';
import { Instant } from '../../parts/instant.js';
import { JsonView } from '../../parts/json-view.js';
import { Modal } from '../../parts/modal.js';
import { usePartsText } from '../../parts/text.js';
import { AuditChange } from './audit-change.js';
import { listChangeOf } from './list-change.js';
import { useAuditText } from './text.js';

/** All that an entry says. */
export function AuditDetails({ entry, onClose }: { entry: AuditEntry; onClose: () => void }): ReactNode {
  const t = useAuditText();
  const parts = usePartsText();
  const { actor, target, change, details } = entry;
  const idFact = (name: 'actorId' | 'targetId' | 'id', id: string | null | undefined): Fact[] =>
    id == null ? [] : [{ name: t(name), value: <Identifier value={id} what={t(name)} /> }];
  const textFact = (name: 'ip' | 'userAgent', value: string | null): Fact[] =>
    value === null ? [] : [{ name: t(name), value }];
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('detailsOf', { action: entry.action })}
      closeButtonProps={{ 'aria-label': parts('close') }}
    >
      <Stack>
        <Facts
          facts={[
            { name: t('at'), value: <Instant at={entry.at} withSeconds /> },
            { name: t('by'), value: actor.name ?? t(actor.type) },
            ...(target === null ? [] : [{ name: t('target'), value: target.name ?? target.type }]),
            ...idFact('actorId', actor.id),
            ...idFact('targetId', target?.id),
            ...textFact('ip', entry.ip),
            ...textFact('userAgent', entry.user_agent),
            ...idFact('id', entry.id),
          ]}
        />
        {change !== null && listChangeOf(change) !== null && <AuditChange change={change} isWhole />}
        {change !== null && (
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {(['before', 'after'] as const).map((side) => (
              <Stack key={side} gap={6}>
                <Title order={3} size="sm">
                  {t(side)}
                </Title>
                <JsonView value={change[side]} label={t(side)} />
              </Stack>
            ))}
          </SimpleGrid>
        )}
        {change === null && Object.keys(details).length > 0 && (
          <JsonView value={details} label={t('details')} />
        )}
      </Stack>
    </Modal>
  );
}
