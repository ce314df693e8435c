import { readCron } from '../../../console/src/tenant/cron-reading.js';

const all = { kind: 'all' };

describe('a schedule that is read for a sentence', () => {
  it.each([
    ['30 2 * * *', { kind: 'times', minutes: [150] }, all],
    ['0 8,20 * * *', { kind: 'times', minutes: [480, 1200] }, all],
    ['0 * * * *', { kind: 'hours', every: 1, minute: 0 }, all],
    ['15 */2 * * *', { kind: 'hours', every: 2, minute: 15 }, all],
    ['* * * * *', { kind: 'minutes', every: 1, from: null, until: null }, all],
    ['*/15 * * * *', { kind: 'minutes', every: 15, from: null, until: null }, all],
    [
      '*/30 8-18 * * 1-5',
      { kind: 'minutes', every: 30, from: 480, until: 1110 },
      { kind: 'weekdays', days: [1, 2, 3, 4, 5] },
    ],
    ['0 9 * * mon,WED', { kind: 'times', minutes: [540] }, { kind: 'weekdays', days: [1, 3] }],
    ['0 9 * * 7', { kind: 'times', minutes: [540] }, { kind: 'weekdays', days: [0] }],
    ['0 9 1,15 * *', { kind: 'times', minutes: [540] }, { kind: 'monthly', days: [1, 15] }],
    ['0 9 24 dec *', { kind: 'times', minutes: [540] }, { kind: 'yearly', days: [24], month: 12 }],
  ])('%s has its times and days', (schedule, time, days) => {
    expect(readCron(schedule)).toEqual({ time, days });
  });

  it.each([
    // Either of the two is enough.
    '0 9 1 * 1',
    // Not every 7 minutes: the hour has 60.
    '*/7 * * * *',
    '0 */5 * * *',
    '0 9 */2 * *',
    '0 9 * 1 *',
    '0 9 1 1-3 *',
    '*/15 8,12 * * *',
    '0,10,20 8,12 * * *',
    '0 9 * * 1#2',
    '0 0 9 * * *',
    'no schedule',
    '',
  ])('"%s" is shown as it is, since no short sentence says the same', (schedule) => {
    expect(readCron(schedule)).toBeNull();
  });
});
