import fc from 'fast-check';
import {
  CronSchedule,
  InvalidScheduleError,
  latestInstant,
  nextInstants,
} from '../../../../src/scheduler/cron/index.js';
import { IS_EXHAUSTIVE } from '../../support/exhaustive.js';
import { bruteForceInstants } from './brute-force.js';
import { expressions } from './expressions.js';
import { clockChanges, stretchAround } from './wall-clock.js';
import type { ClockChange, Stretch } from './wall-clock.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const TWO_YEARS_MS = 2 * 366 * 24 * HOUR_MS;
const FROM = Date.UTC(1970, 0, 1);
const TO = Date.UTC(2030, 0, 1);
/** The years that every zone is looked at in, besides the last two in which its clock changed. */
const RECENTLY = [Date.UTC(2025, 0, 1), Date.UTC(2027, 0, 1)] as const;
const LIMIT_MS = 50;
/** Generated expressions for each clock change, besides those that are aimed at it. */
const SAMPLES = IS_EXHAUSTIVE ? 3 : 1;

const ZONES = Intl.supportedValuesOf('timeZone');

/** Changes of all zones, alike ones once: the arithmetic sees no more of a zone than its offsets about the instant. */
function changesOfAllZones(): ClockChange[] {
  const unlike = new Map<string, ClockChange>();
  for (const zone of ZONES) {
    const changes = clockChanges(zone, FROM, TO);
    const last = changes.at(-1)?.at ?? 0;
    for (const change of changes) {
      const isRecent = change.at >= RECENTLY[0] && change.at < RECENTLY[1];
      // Until 1972 Liberia was 44 min 30 s behind UTC, and an enumeration of whole minutes misses the half ones.
      const isOnTheMinute = change.from % MINUTE_MS === 0;
      if (isOnTheMinute && (isRecent || change.at > last - TWO_YEARS_MS)) {
        unlike.set(`${change.at} ${change.from} ${change.to}`, change);
      }
    }
  }
  return [...unlike.values()];
}

/** Expressions whose times lie where the change leaves out or repeats. */
function aimedAt({ from, to }: ClockChange): string[] {
  const middle = new Date((from + to) / 2);
  const [minute, hour] = [middle.getUTCMinutes(), middle.getUTCHours()];
  return [
    `${minute} ${hour} * * *`,
    `0-59/7 ${hour} * * *`,
    `*/13 ${hour} * * *`,
    `${minute} * * * *`,
    `59 ${new Date(Math.min(from, to) - 1).getUTCHours()} * * *`,
    `0 ${new Date(Math.max(from, to)).getUTCHours()} ${middle.getUTCDate()} * 1`,
  ];
}

function parsed(expression: string): CronSchedule | null {
  try {
    return CronSchedule.parse(expression);
  } catch (error) {
    if (error instanceof InvalidScheduleError) return null;
    throw error;
  }
}

function expectEnumerated(expression: string, stretch: Stretch): void {
  const schedule = parsed(expression);
  if (schedule === null) return;
  const expected = bruteForceInstants(expression, stretch);
  const found = nextInstants(schedule, stretch.zone, new Date(stretch.start), expected.length + 1).map(
    Number,
  );
  const beyond = found.length > expected.length ? found.pop() : undefined;
  if (found.join() !== expected.join() || (beyond !== undefined && beyond <= stretch.end)) {
    const iso = (instants: readonly number[]): string[] => instants.map((at) => new Date(at).toISOString());
    // Only what differs: lists of thousands of instants are compared as text above.
    const missing = expected.filter((at) => !found.includes(at));
    const tooMany = found.filter((at) => !expected.includes(at));
    expect({ expression, zone: stretch.zone, missing: iso(missing), tooMany: iso(tooMany) }).toEqual({
      missing: [],
      tooMany: [],
    });
  }
}

/** Milliseconds of processor time: those on the clock are also others' on a busy machine. */
function costOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('cron instants against an enumeration of every local minute', () => {
  const changes = changesOfAllZones();
  const generated = fc.sample(expressions, { seed: 7, numRuns: 400 });
  // Every minute of a day takes long to step through, and tells no more of a clock change than every hour.
  const sparse = generated.filter((expression) => !expression.startsWith('*'));

  it('knows hundreds of zones and their clock changes', () => {
    expect(ZONES.length).toBeGreaterThan(300);
    expect(changes.length).toBeGreaterThan(400);
  });

  it('agrees around the clock changes of every zone in two years at least', () => {
    changes.forEach((change, index) => {
      const stretch = stretchAround(change.zone, change.at, 10 * HOUR_MS, 14 * HOUR_MS);
      for (const expression of aimedAt(change)) expectEnumerated(expression, stretch);
      for (let nth = 0; nth < SAMPLES; nth += 1) {
        expectEnumerated(sparse[(index * SAMPLES + nth) % sparse.length] ?? '', stretch);
      }
    });
  });

  it.each([
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', 'half an hour back'],
    ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', 'half an hour on'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', 'a day left out'],
    ['Pacific/Kwajalein', '1993-08-21T12:00:00Z', 'a day left out, when it crossed the date line'],
    ['Antarctica/Troll', '2026-03-29T01:00:00Z', 'two hours on'],
    ['Antarctica/Troll', '2026-10-25T01:00:00Z', 'two hours back'],
    ['Africa/Casablanca', '2026-02-15T02:00:00Z', 'an hour back for Ramadan'],
    ['Africa/Casablanca', '2026-03-22T02:00:00Z', 'an hour on after it'],
    ['America/Havana', '2026-03-08T05:00:00Z', 'no midnight'],
    ['America/Havana', '2026-11-01T05:00:00Z', 'two midnights'],
    ['Asia/Pyongyang', '2015-08-14T15:00:00Z', 'half an hour back for good'],
    ['Asia/Kathmandu', '1985-12-31T18:30:00Z', 'a quarter of an hour on'],
  ])('agrees for every generated expression in %s around %s: %s', (zone, instant) => {
    const stretch = stretchAround(zone, Date.parse(instant), 26 * HOUR_MS, 30 * HOUR_MS);
    for (const expression of sparse.slice(0, IS_EXHAUSTIVE ? 100 : 40)) expectEnumerated(expression, stretch);
    for (const expression of generated.slice(0, 20)) expectEnumerated(expression, stretch);
  });

  it('agrees on plain days and every real minute', () => {
    ZONES.forEach((zone, index) => {
      if (index % 8 !== 0) return;
      const stretch = stretchAround(zone, Date.UTC(2026, index % 12, 1 + (index % 28)), 0, 5 * HOUR_MS);
      for (let nth = 0; nth < 8; nth += 1) {
        expectEnumerated(generated[(index + nth) % generated.length] ?? '', stretch);
      }
      expectEnumerated('* * * * *', stretch);
    });
  });

  it('gives strictly increasing instants, a hundred of them, none in over 50 ms', () => {
    const zones = ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/Havana', 'Africa/Casablanca'];
    for (const zone of zones) nextInstants(CronSchedule.parse('0 0 * * *'), zone, new Date(), 1);
    const rare = [
      '0 0 29 2 *',
      '*/5 0 29 2 *',
      '30 2 31 1-12/2 *',
      '* * 29 2 *',
      '0 0 1 1 *',
      '59 23 31 12 7',
    ];
    for (const expression of [...rare, ...generated.slice(0, 60)]) {
      const schedule = parsed(expression);
      if (schedule === null) continue;
      for (const zone of zones) {
        const from = new Date('2026-01-31T12:34:56.789Z');
        let instants: Date[] = [];
        const cost = costOf(() => (instants = nextInstants(schedule, zone, from, 100)));
        expect(instants).toHaveLength(100);
        expect(instants.every((at, index) => at > (instants[index - 1] ?? from))).toBe(true);
        // What was compiled or collected meanwhile is not: what is slow is slow again.
        const again = (): number =>
          Math.min(...[1, 2, 3].map(() => costOf(() => nextInstants(schedule, zone, from, 100))));
        const isSlow = cost > LIMIT_MS && again() > LIMIT_MS;
        expect([expression, zone, isSlow]).toEqual([expression, zone, false]);
      }
    }
  });

  it('finds the latest instant of any length of time', () => {
    const lengths = fc.integer({ min: 1, max: 4 * 24 * HOUR_MS });
    const zones = fc.constantFrom('UTC', 'America/New_York', 'Australia/Lord_Howe');
    const start = Date.UTC(2026, 9, 30);
    fc.assert(
      fc.property(expressions, zones, lengths, (expression, zone, lengthMs) => {
        const schedule = parsed(expression);
        if (schedule === null) return;
        const until = new Date(start + lengthMs);
        let latest: Date | null = null;
        for (;;) {
          const [next] = nextInstants(schedule, zone, latest ?? new Date(start), 1);
          if (next === undefined || next > until) break;
          latest = next;
        }
        expect(latestInstant(schedule, zone, new Date(start), until)).toEqual(latest);
      }),
      { seed: 11, numRuns: 150 },
    );
  });
});
