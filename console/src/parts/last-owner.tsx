import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { isCode } from './queries.js';
import { usePartsText } from './text.js';

interface LastOwnerProps {
  readonly error: unknown;
  /** Of the organization. */
  readonly path: string;
  readonly onFollow?: () => void;
}

/** What the last owner of an organization can do who was not let go; nothing for any other error. */
export function LastOwner({ error, path, onFollow }: LastOwnerProps): ReactNode {
  const t = usePartsText();
  if (!isCode(error, 'last_owner')) return null;
  return (
    <Text size="sm">
      {t('lastOwner')}{' '}
      <Anchor component={Link} to={`${path}/members#organization`} size="sm" onClick={onFollow}>
        {t('lastOwnerDelete')}
      </Anchor>
      .
    </Text>
  );
}
