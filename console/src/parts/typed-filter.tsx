import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { HALF } from './filters.js';

const TYPING_MS = 250;
/** Below this width, in pixels, two filters fit beside each other on a phone. */
const SHORT = 200;

interface TypedFilterProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly type?: 'text' | 'datetime-local';
  /** As the address has it; empty without one. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What the field shows for a value of the address. */
  readonly show?: (value: string) => string;
  /** What the address has for a text; null while the text cannot be used. */
  readonly parse?: (text: string) => string | null;
  readonly problem?: string;
  readonly width: number;
  /** Told while the list does not follow what is typed: until the pause after typing, and while it cannot be used. */
  readonly onUnused?: ((isUnused: boolean) => void) | undefined;
}

/**
 * A filter that is typed. The field keeps its text and its focus while the list follows, and text that cannot be used
 * changes nothing.
 */
export function TypedFilter({
  label,
  placeholder = label,
  type = 'text',
  value,
  onChange,
  show = (known) => known,
  parse = (typed) => typed,
  problem,
  width,
  onUnused,
}: TypedFilterProps): ReactNode {
  const [text, setText] = useState(() => show(value));
  const [known, setKnown] = useState(value);
  const [used, setUsed] = useState(text);
  const change = useDebouncedCallback((typed: string, next: string) => {
    setUsed(typed);
    onChange(next);
  }, TYPING_MS);
  if (value !== known) {
    setKnown(value);
    // Cleared by a button.
    if (value === '') {
      setText('');
      setUsed('');
    }
  }
  const isUnused = text !== used;
  useEffect(() => {
    onUnused?.(isUnused);
  }, [isUnused, onUnused]);
  const isWrong = text.trim() !== '' && parse(text.trim()) === null;
  return (
    <TextInput
      type={type}
      aria-label={label}
      title={type === 'text' ? undefined : label}
      leftSection={type === 'text' ? undefined : <span aria-hidden>{label}</span>}
      leftSectionWidth={type === 'text' ? undefined : 52}
      placeholder={placeholder}
      value={text}
      error={isWrong && problem}
      onChange={({ currentTarget: { value: typed } }) => {
        setText(typed);
        const next = typed.trim() === '' ? '' : parse(typed.trim());
        if (next !== null) change(typed, next);
      }}
      spellCheck={false}
      w={{ base: width < SHORT ? HALF : '100%', xs: width }}
    />
  );
}

/** An instant as the field for a local time has it: `2026-03-29T06:00`. */
function localOf(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function instantOf(local: string): string | null {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** A filter by an instant: typed in the browser's time zone, in UTC in the address. */
export function InstantFilter(
  props: Pick<TypedFilterProps, 'label' | 'value' | 'onChange' | 'onUnused'>,
): ReactNode {
  return <TypedFilter {...props} type="datetime-local" show={localOf} parse={instantOf} width={250} />;
}
