import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';

/** A button that looks like a link, beside or within a text. */
export function TextButton({ onClick, children }: { onClick: () => void; children: ReactNode }): ReactNode {
  return (
    <Anchor component="button" type="button" size="sm" onClick={onClick}>
      {children}
    </Anchor>
  );
}
