import type { ReactNode } from 'react';
import { useOperators } from '../../operator/use-operators.js';
import { useUserText } from './text.js';

/** Whether the account operates the deployment, and what it may do. */
export function OperatorAccess({ userId }: { userId: string }): ReactNode {
  const t = useUserText();
  const { data } = useOperators();
  if (data === undefined) return null;
  return t(data.find(({ user_id: id }) => id === userId)?.access ?? 'none');
}
