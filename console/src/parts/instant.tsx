import { Text, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { useFormats } from './format.js';

interface InstantProps {
  /** ISO 8601; null shows a dash. */
  readonly at: string | null | undefined;
  /** Counts up or down from now in place of a clock time. */
  readonly relative?: boolean;
  /** Where the day is said already. */
  readonly withoutDay?: boolean;
  /** Of what happens many times a minute. */
  readonly withSeconds?: boolean;
}

const TICK_MS = 1_000;

/** A local time; on hover and focus the same in full and in UTC. */
export function Instant({
  at,
  relative = false,
  withoutDay = false,
  withSeconds = false,
}: InstantProps): ReactNode {
  const formats = useFormats();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!relative) return undefined;
    const timer = setInterval(() => {
      setNow(Date.now());
    }, TICK_MS);
    return () => {
      clearInterval(timer);
    };
  }, [relative]);
  if (at == null) return <Text span inherit c="dimmed" children="–" />;
  const form = withoutDay ? 'time' : withSeconds ? 'second' : 'instant';
  const utc = `${at.replace('T', ' ').replace('Z', '')} UTC`;
  return (
    <Tooltip
      multiline
      label={
        <>
          {formats.full(at)}
          <br />
          {utc}
        </>
      }
      events={{ hover: true, focus: true, touch: true }}
    >
      <time dateTime={at} className="numbers" style={{ whiteSpace: 'nowrap' }}>
        {relative ? formats.relative(at, now) : formats[form](at)}
      </time>
    </Tooltip>
  );
}
