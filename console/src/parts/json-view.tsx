import type { ReactNode } from 'react';
import { CopyAction } from './identifier.js';
import classes from './json-view.module.css';
import { usePartsText } from './text.js';

/** A JSON value as text, with what kind each part is told by colour; nothing in it is ever markup. */
const TOKEN =
  /("(?:\\.|[^"\\])*"\s*:)|("(?:\\.|[^"\\])*")|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;
const KINDS = ['key', 'string', 'word', 'number'] as const;

function* partsOf(text: string): Generator<ReactNode> {
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) yield text.slice(end, match.index);
    const kind = KINDS[match.slice(1).findIndex((group: string | undefined) => group !== undefined)];
    yield (
      <span key={match.index} className={classes[kind ?? 'word']}>
        {match[0]}
      </span>
    );
    end = match.index + match[0].length;
  }
  yield text.slice(end);
}

/** Beyond this it is shown without colours. */
const COLOURED = 20_000;

export function JsonView({ value, label }: { value: unknown; label: string }): ReactNode {
  const t = usePartsText();
  if (value == null) return <div className={classes.empty}>{t('emptyJson')}</div>;
  const text = JSON.stringify(value, null, 2);
  return (
    <div className={classes.frame}>
      <pre className={classes.json} dir="ltr" tabIndex={0} aria-label={label}>
        {text.length > COLOURED ? text : [...partsOf(text)]}
      </pre>
      <span className={classes.copy}>
        <CopyAction value={text} what={label} />
      </span>
    </div>
  );
}
