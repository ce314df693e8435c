import { Tooltip } from '@mantine/core';
import { useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { useFormats } from './format.js';
import { usePartsText } from './text.js';
import classes from './time-chart.module.css';

export interface Series {
  readonly name: string;
  readonly tone: 'ok' | 'bad' | 'wait' | 'run' | 'warn';
  /** One value for each instant; null where there is none. */
  readonly values: readonly (number | null)[];
}

interface TimeChartProps {
  /** Said to screen readers, as the caption of a table with the same figures. */
  readonly label: string;
  /** Starts of the intervals, ISO 8601. */
  readonly instants: readonly string[];
  readonly series: readonly Series[];
  /** Bars stand upon each other; lines have a gap where a value is missing. */
  readonly kind: 'bars' | 'lines';
  readonly format: (value: number) => string;
}

const HEIGHT = 100;

function sum(series: readonly Series[], index: number): number {
  return series.reduce((total, { values }) => total + (values[index] ?? 0), 0);
}

/** The points of a line between two gaps, in a box of 100 by 100. */
function* segmentsOf(values: Series['values'], most: number): Generator<string> {
  let points: string[] = [];
  for (const [index, value] of [...values, null].entries()) {
    if (value !== null) {
      const x = ((index + 0.5) / values.length) * 100;
      points.push(`${x.toFixed(2)},${(HEIGHT - (value / most) * HEIGHT).toFixed(2)}`);
      continue;
    }
    // A single point is a short line, so that it is seen.
    if (points.length > 0) yield [...points, ...(points.length === 1 ? points : [])].join(' ');
    points = [];
  }
}

function Lines({ series, most }: { series: readonly Series[]; most: number }): ReactNode {
  return (
    <svg className={classes.lines} viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
      {series.flatMap(({ name, tone, values }) =>
        [...segmentsOf(values, most)].map((points) => (
          <polyline
            key={`${name} ${points}`}
            points={points}
            data-tone={tone}
            data-single={values.filter((value) => value !== null).length === 1 || undefined}
          />
        )),
      )}
    </svg>
  );
}

function Figures({ label, instants, series, format }: Omit<TimeChartProps, 'kind'>): ReactNode {
  const formats = useFormats();
  return (
    <div className="visually-hidden">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <td />
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {instants.map((at, index) => (
            <tr key={at}>
              <th scope="row">{formats.instant(at)}</th>
              {series.map(({ name, values }) => (
                <td key={name}>{values[index] == null ? '–' : format(values[index])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: -Infinity,
  End: Infinity,
};

/**
 * Lets the keyboard point at one of the intervals, as a slider does.
 * @param textOf what it says of an interval
 * @returns the interval; null without the focus, or after Escape
 */
function useSlider(
  label: string,
  last: number,
  textOf: (index: number) => string,
): { place: number | null; slider: ComponentProps<'div'> } {
  const [chosen, setPlace] = useState<number | null>(null);
  if (last < 0) return { place: null, slider: { 'aria-hidden': true } };
  // There may be fewer by now.
  const place = chosen === null ? null : Math.min(chosen, last);
  const shown = place ?? last;
  const slider: ComponentProps<'div'> = {
    role: 'slider',
    tabIndex: 0,
    'aria-label': label,
    'aria-valuemin': 0,
    'aria-valuemax': last,
    'aria-valuenow': shown,
    'aria-valuetext': textOf(shown),
    onKeyDown: (event) => {
      if (event.key === 'Escape') setPlace(null);
      const step = STEPS[event.key];
      // With a modifier, it is a shortcut of the browser.
      if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      setPlace(Math.min(Math.max(shown + step, 0), last));
    },
    onFocus: ({ currentTarget }) => {
      if (currentTarget.matches(':focus-visible')) setPlace(last);
    },
    onBlur: () => {
      setPlace(null);
    },
  };
  return { place, slider };
}

/**
 * Figures over time; those of one interval show by the mouse, by touch or by the arrow keys. Too small for a chart library, which would
 * double the weight of the first page.
 */
export function TimeChart({ label, instants, series, kind, format }: TimeChartProps): ReactNode {
  const t = usePartsText();
  const formats = useFormats();
  const last = instants.length - 1;
  const heights = instants.map((_, index) =>
    kind === 'bars' ? sum(series, index) : Math.max(0, ...series.map(({ values }) => values[index] ?? 0)),
  );
  const most = Math.max(1, ...heights);
  const isEmpty = heights.every((height) => height === 0);
  const labels = [instants[0], instants[Math.floor(last / 2)], instants[last]];
  const textsOf = (index: number): string[] =>
    series.map(({ name, values }) => `${name}: ${values[index] == null ? '–' : format(values[index])}`);
  const { place, slider } = useSlider(label, last, (index) =>
    [formats.full(instants[index] ?? ''), ...textsOf(index)].join(', '),
  );
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.legend} aria-hidden>
        {series.map(({ name, tone }) => (
          <span key={name} data-tone={tone}>
            {name}
          </span>
        ))}
        {!isEmpty && <span className={classes.most}>{format(most)}</span>}
      </figcaption>
      <div className={classes.plot} {...slider}>
        {isEmpty && <span className={classes.nothing}>{t('nothingThen')}</span>}
        {kind === 'lines' && <Lines series={series} most={most} />}
        {instants.map((at, index) => (
          <Tooltip
            // Another one, as what was opened by a property does not close without it.
            key={index === place ? `${at} shown` : at}
            multiline
            openDelay={60}
            events={{ hover: true, focus: false, touch: true }}
            opened={index === place || undefined}
            label={
              <>
                {formats.full(at)}
                {textsOf(index).map((text) => (
                  <div key={text}>{text}</div>
                ))}
              </>
            }
          >
            <div className={classes.column} data-shown={index === place || undefined}>
              {kind === 'bars' &&
                series.map(({ name, tone, values }) => (
                  <span
                    key={name}
                    data-tone={tone}
                    style={{ height: `${((values[index] ?? 0) / most) * 100}%` }}
                  />
                ))}
            </div>
          </Tooltip>
        ))}
      </div>
      <div className={classes.axis} aria-hidden>
        {[...new Set(labels)].map((at) => at !== undefined && <span key={at}>{formats.instant(at)}</span>)}
      </div>
      <Figures label={label} instants={instants} series={series} format={format} />
    </figure>
  );
}
