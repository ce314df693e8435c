import {
  parseFuture,
  parseInstant,
  parseTimeSpan,
  timeSpanText,
} from '../../../servicectl/src/caller/time-spans.js';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');

describe('durations that are typed', () => {
  it.each([
    ['250ms', 250],
    ['30s', 30_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['0s', 0],
  ])('mean %s as %d milliseconds', (text, durationMs) => {
    expect(parseTimeSpan(text)).toBe(durationMs);
  });

  it.each(['', '5', 's', '-1s', '1.5h', '1h30m', '1 h', '1H', '99999999999d'])('are not %j', (text) => {
    expect(parseTimeSpan(text)).toBeNull();
  });
});

describe('instants that are typed', () => {
  it.each([
    ['15m', '2026-11-21T11:45:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20T08:00:00+01:00', '2026-11-20T07:00:00.000Z'],
  ])('mean %s as %s', (text, instant) => {
    expect(parseInstant(text, NOW)?.toISOString()).toBe(instant);
  });

  it.each(['', 'yesterday', '12', '2026-13-01', '2026', '999999999d'])('are not %j', (text) => {
    expect(parseInstant(text, NOW)).toBeNull();
  });
});

describe('instants to come that are typed', () => {
  it.each([
    ['90d', '2027-02-19T12:00:00.000Z'],
    ['2026-11-21T12:00:00.001Z', '2026-11-21T12:00:00.001Z'],
  ])('mean %s as %s', (text, instant) => {
    expect(parseFuture(text, NOW)?.toISOString()).toBe(instant);
  });

  it.each(['', '0s', '2026-11-21T12:00:00Z', 'tomorrow'])('are not %j', (text) => {
    expect(parseFuture(text, NOW)).toBeNull();
  });
});

describe('times that are shown', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1_000, '1.0 s'],
    [59_940, '59.9 s'],
    [60_000, '1 min 0 s'],
    [3_599_600, '1 h 0 min'],
    [7_500_000, '2 h 5 min'],
  ])('of %d milliseconds are %s', (durationMs, text) => {
    expect(timeSpanText(durationMs)).toBe(text);
  });
});
