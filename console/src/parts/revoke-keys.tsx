import '@mantine/core/styles/Checkbox.layer.css';
import { Checkbox } from '@mantine/core';
import type { ApiKey } from '@service/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { keyState } from './key-state.js';
import { usePartsText } from './text.js';

interface RevokeKeysProps {
  /** Names the keys among all that is read. */
  readonly queryKey: readonly string[];
  /** The keys that the person made. */
  readonly list: (signal: AbortSignal) => Promise<readonly Pick<ApiKey, 'revoked_at' | 'expires_at'>[]>;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** Offers to revoke the keys that someone leaves behind. Of somebody without a live key, there is nothing to ask. */
export function RevokeKeys({ queryKey, list, checked, onChange }: RevokeKeysProps): ReactNode {
  const t = usePartsText();
  const { data = [] } = useQuery({ queryKey, queryFn: ({ signal }) => list(signal) });
  const count = data.filter((key) => keyState(key) === 'active').length;
  if (count === 0) return null;
  return (
    <Checkbox
      label={t('revokeKeys', { count })}
      description={t('revokeKeysHint')}
      checked={checked}
      onChange={(event) => {
        onChange(event.currentTarget.checked);
      }}
    />
  );
}
