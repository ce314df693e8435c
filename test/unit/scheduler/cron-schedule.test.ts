import { CronSchedule, isTimeZone, nextInstants } from '../../../src/scheduler/cron/index.js';

function instantsOf(expression: string, zone: string, after: string, count: number): string[] {
  const instants = nextInstants(CronSchedule.parse(expression), zone, new Date(after), count);
  return instants.map((at) => at.toISOString().replace(':00.000Z', 'Z'));
}

function problemOf(expression: string): string | null {
  try {
    CronSchedule.parse(expression);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a cron expression', () => {
  it.each([
    ['* * * * *', ['2026-01-01T00:01Z', '2026-01-01T00:02Z']],
    ['*/20 * * * *', ['2026-01-01T00:20Z', '2026-01-01T00:40Z']],
    ['5-59/25 * * * *', ['2026-01-01T00:05Z', '2026-01-01T00:30Z']],
    ['0 3,1 * * *', ['2026-01-01T01:00Z', '2026-01-01T03:00Z']],
    ['0 0 * feb,MAR-apr *', ['2026-02-01T00:00Z', '2026-02-02T00:00Z']],
    ['0 0 * * 7', ['2026-01-04T00:00Z', '2026-01-11T00:00Z']],
    ['0 0 * * sun', ['2026-01-04T00:00Z', '2026-01-11T00:00Z']],
    ['0 0 * * sat-sun', ['2026-01-03T00:00Z', '2026-01-04T00:00Z']],
    ['0 0 29 2 *', ['2028-02-29T00:00Z', '2032-02-29T00:00Z']],
    ['\t0  12 1 1 * ', ['2026-01-01T12:00Z', '2027-01-01T12:00Z']],
  ])('%j is understood', (expression, expected) => {
    expect(instantsOf(expression, 'UTC', '2026-01-01T00:00:00Z', 2)).toEqual(expected);
  });

  it.each([
    ['0 0 13 * 5', ['2026-01-02T00:00Z', '2026-01-09T00:00Z', '2026-01-13T00:00Z']],
    ['0 0 1-31 * 1', ['2026-01-02T00:00Z', '2026-01-03T00:00Z', '2026-01-04T00:00Z']],
    ['0 0 */2 * 1', ['2026-01-03T00:00Z', '2026-01-05T00:00Z', '2026-01-07T00:00Z']],
    ['0 0 * * 1', ['2026-01-05T00:00Z', '2026-01-12T00:00Z', '2026-01-19T00:00Z']],
    ['0 0 13 * *', ['2026-01-13T00:00Z', '2026-02-13T00:00Z', '2026-03-13T00:00Z']],
  ])('%j joins its days by OR unless one of the two fields is literally *', (expression, expected) => {
    expect(instantsOf(expression, 'UTC', '2026-01-01T00:00:00Z', 3)).toEqual(expected);
  });

  it.each([
    ['*/60 * * * *', '0 * * * *'],
    ['15-30/90 6 * * *', '15 6 * * *'],
    ['5,*/600000000000000000000 */24 * * *', '0,5 0 * * *'],
    ['0 0 */32 * *', '0 0 1 * *'],
    ['0 0 1 mar-may/13 *', '0 0 1 3 *'],
    ['0 0 * * */8', '0 0 * * 0'],
    ['0 0 13 * mon-fri/9', '0 0 13 * 1'],
  ])(
    '%j takes the first value of a range that its step leads out of, as crontab does: %j',
    (expression, same) => {
      const of = (schedule: string): string[] => instantsOf(schedule, 'UTC', '2026-01-01T00:00:00Z', 20);
      expect(of(expression)).toEqual(of(same));
    },
  );

  it.each([
    ['0 0 * * * *', 'must be five fields (minute, hour, day of month, month, day of week), not 6'],
    ['* * * *', 'must be five fields (minute, hour, day of month, month, day of week), not 4'],
    ['', 'must be five fields (minute, hour, day of month, month, day of week), not 0'],
    ['@reboot', 'must be five fields; "@reboot" is not supported'],
    ['@daily', 'must be five fields; "@daily" is not supported'],
    ['0 0 31 2 *', 'never matches any date'],
    ['0 0 30 feb *', 'never matches any date'],
    ['0 0 31 4,6,9,11 *', 'never matches any date'],
    ['60 * * * *', 'has "60" as minute, which must be 0 to 59'],
    ['0 24 * * *', 'has "24" as hour, which must be 0 to 23'],
    ['0 0 0 * *', 'has "0" as day of month, which must be 1 to 31'],
    ['0 0 * 13 *', 'has "13" as month, which must be 1 to 12 or jan to dec'],
    ['0 0 * january *', 'has "january" as month, which must be 1 to 12 or jan to dec'],
    ['0 0 * * 8', 'has "8" as day of week, which must be 0 to 7 or sun to sat'],
    ['0 0 mon * *', 'has "mon" as day of month, which must be 1 to 31'],
    ['30-10 * * * *', 'has "30-10" as minute, which runs backwards'],
    ['0 0 * * sat-mon', 'has "sat-mon" as day of week, which runs backwards'],
    ['*/0 * * * *', 'has "*/0" as minute, but a step is at least 1'],
    ['5/15 * * * *', 'has "5/15" as minute, but a step needs a range: */15 or 0-59/15'],
    ['1,,2 * * * *', 'has "" as minute, which is none of *, a, a-b, */n and a-b/n'],
    ['? * * * *', 'has "?" as minute, which is none of *, a, a-b, */n and a-b/n'],
    ['0 0 L * *', 'has "L" as day of month, which must be 1 to 31'],
    ['0 0 15W * *', 'has "15W" as day of month, which is none of *, a, a-b, */n and a-b/n'],
    ['0 0 * * 1#2', 'has "1#2" as day of week, which is none of *, a, a-b, */n and a-b/n'],
    ['1.5 * * * *', 'has "1.5" as minute, which is none of *, a, a-b, */n and a-b/n'],
    ['-5 * * * *', 'has "-5" as minute, which is none of *, a, a-b, */n and a-b/n'],
    [`${'0,'.repeat(600)}0 * * * *`, 'must have at most 1000 characters'],
  ])('%j is refused, and told why', (expression, problem) => {
    expect(problemOf(expression)).toBe(problem);
  });
});

describe('a time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'europe/berlin', 'Asia/Calcutta', 'Etc/GMT+5', 'America/Port-au-Prince'])(
    '%j is known',
    (name) => {
      expect(isTimeZone(name)).toBe(true);
    },
  );

  it.each(['', 'Europe/Atlantis', '+02:00', 'Europe/Berlin ', 'UTC+1', 'Mars', "UTC'; --"])(
    '%j is none',
    (name) => {
      expect(isTimeZone(name)).toBe(false);
    },
  );
});

describe('when the clock changes', () => {
  it('a fixed time that is skipped fires once, at the instant the gap ends', () => {
    expect(instantsOf('30 2 * * *', 'Europe/Berlin', '2026-03-28T02:00:00Z', 2)).toEqual([
      '2026-03-29T01:00Z',
      '2026-03-30T00:30Z',
    ]);
  });

  it('a fixed time that comes twice fires once, at the first', () => {
    expect(instantsOf('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30Z',
      '2026-10-26T01:30Z',
    ]);
  });

  it('a fixed time is over at its first coming, also when asked between the two', () => {
    expect(instantsOf('30 2 * * *', 'Europe/Berlin', '2026-10-25T00:45:00Z', 1)).toEqual([
      '2026-10-26T01:30Z',
    ]);
  });

  it('fixed times of one schedule that fall on one instant are one', () => {
    expect(instantsOf('10,40 2,3 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 4)).toEqual([
      '2026-03-29T01:00Z',
      '2026-03-29T01:10Z',
      '2026-03-29T01:40Z',
      '2026-03-30T00:10Z',
    ]);
    expect(instantsOf('30 2,3 * * *', 'Australia/Lord_Howe', '2026-10-03T12:00:00Z', 2)).toEqual([
      '2026-10-03T15:30Z',
      '2026-10-03T16:30Z',
    ]);
  });

  it('fixed times of a day that is left out are one, at its end', () => {
    expect(instantsOf('0 9,17 * * *', 'Pacific/Apia', '2011-12-30T00:00:00Z', 4)).toEqual([
      '2011-12-30T03:00Z',
      '2011-12-30T10:00Z',
      '2011-12-30T19:00Z',
      '2011-12-31T03:00Z',
    ]);
  });

  it('a schedule whose hour begins with * follows real time', () => {
    expect(instantsOf('30 * * * *', 'Europe/Berlin', '2026-10-24T23:45:00Z', 3)).toEqual([
      '2026-10-25T00:30Z',
      '2026-10-25T01:30Z',
      '2026-10-25T02:30Z',
    ]);
    expect(instantsOf('30 */2 * * *', 'Europe/Berlin', '2026-03-28T23:45:00Z', 2)).toEqual([
      '2026-03-29T02:30Z',
      '2026-03-29T04:30Z',
    ]);
  });

  it('a schedule whose minute begins with * follows real time: what is skipped is left out, what repeats fires twice', () => {
    expect(instantsOf('*/30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 1)).toEqual([
      '2026-03-30T00:00Z',
    ]);
    expect(instantsOf('*/30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 4)).toEqual([
      '2026-10-25T00:00Z',
      '2026-10-25T00:30Z',
      '2026-10-25T01:00Z',
      '2026-10-25T01:30Z',
    ]);
  });

  it('a gap that ends between two minutes is met where it ends', () => {
    expect(instantsOf('22 0 * * *', 'Africa/Monrovia', '1972-01-06T12:00:00Z', 1)).toEqual([
      '1972-01-07T00:44:30.000Z',
    ]);
  });
});
