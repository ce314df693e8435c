import { Button, Skeleton, Stack, Table, Text } from '@mantine/core';
import { ServiceError } from '@service/client';
import { CircleAlert, Inbox, Lock, SearchX, ShieldAlert, Unplug } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { isCode, messageOf } from './queries.js';
import classes from './states.module.css';
import { usePartsText } from './text.js';

interface NoticeProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** It is all that the page has. */
  readonly isWholePage?: boolean;
}

function Notice({ icon: Icon, title, children, action, isWholePage = false }: NoticeProps): ReactNode {
  return (
    <Stack align="center" gap={6} className={classes.notice}>
      <span className={classes.icon} aria-hidden>
        <Icon size={20} strokeWidth={1.75} />
      </span>
      <Text fw={600} size="md" renderRoot={(props) => (isWholePage ? <h1 {...props} /> : <p {...props} />)}>
        {title}
      </Text>
      {children !== undefined && (
        <Text size="sm" c="dimmed" ta="center" maw={440} component="div">
          {children}
        </Text>
      )}
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </Stack>
  );
}

/** A list without items: what would be here, and what to do next. */
export function Empty({
  icon = Inbox,
  ...props
}: Omit<NoticeProps, 'icon'> & { icon?: LucideIcon }): ReactNode {
  return <Notice icon={icon} {...props} />;
}

export function NothingFound({ onClear }: { onClear: () => void }): ReactNode {
  const t = usePartsText();
  return (
    <Notice
      icon={SearchX}
      title={t('nothingFound')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('clear')}
        </Button>
      }
    />
  );
}

/** The organization is closed to the person until the account has a second factor. */
function FactorNeeded({ isWholePage }: { isWholePage: boolean }): ReactNode {
  const t = usePartsText();
  return (
    <div role="alert">
      <Notice
        icon={ShieldAlert}
        title={t('factorNeeded')}
        isWholePage={isWholePage}
        action={
          <Button component={Link} to="/account">
            {t('addFactor')}
          </Button>
        }
      >
        {t('factorNeededHint')}
      </Notice>
    </div>
  );
}

/** In place of a page that the caller's role does not open. */
export function Refused(): ReactNode {
  const t = usePartsText();
  return (
    <div role="alert">
      <Notice isWholePage icon={Lock} title={t('refused')}>
        {t('refusedHint')}
      </Notice>
    </div>
  );
}

/** What could not be had: why, and again. */
export function Failure({
  error,
  onRetry,
  isWholePage = false,
  list,
}: {
  error: unknown;
  onRetry?: (() => void) | undefined;
  isWholePage?: boolean;
  /** The address of the list that it would be in, where it may not exist. */
  list?: string;
}): ReactNode {
  const t = usePartsText();
  if (isCode(error, 'second_factor_required')) return <FactorNeeded isWholePage={isWholePage} />;
  const { status = -1, requestId, hint } = error instanceof ServiceError ? error : {};
  const again =
    list !== undefined && status === 404 ? (
      <Button variant="default" component={Link} to={list}>
        {t('toList')}
      </Button>
    ) : (
      onRetry !== undefined && (
        <Button variant="default" onClick={onRetry}>
          {t('retry')}
        </Button>
      )
    );
  const [icon, title, text] =
    status === 403
      ? ([Lock, t('refused'), t('refusedHint')] as const)
      : status === 404
        ? ([SearchX, t('missing'), messageOf(error)] as const)
        : status === 0
          ? ([Unplug, t('unreachable'), t('unreachableHint')] as const)
          : ([CircleAlert, t('failed'), messageOf(error)] as const);
  return (
    <div role="alert">
      <Notice icon={icon} title={title} action={again} isWholePage={isWholePage}>
        {text}
        {hint !== undefined && status !== 403 && <div>{hint}</div>}
        {requestId !== undefined && status >= 500 && (
          <div className={classes.request}>{t('requestId', { id: requestId })}</div>
        )}
      </Notice>
    </div>
  );
}

const WIDTHS = ['62%', '48%', '70%', '55%', '40%', '66%'];

/** Rows of a table that is still to come. */
export function RowSkeletons({ rows = 8, columns }: { rows?: number; columns: number }): ReactNode {
  return Array.from({ length: rows }, (_, row) => (
    <Table.Tr key={row} aria-hidden>
      {Array.from({ length: columns }, (__, column) => (
        <Table.Td key={column}>
          <Skeleton height={12} my={4} width={WIDTHS[(row * 2 + column) % WIDTHS.length] ?? '50%'} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}
