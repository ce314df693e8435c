import { daysOf } from '../../../console/src/pages/schedule/calendar.js';

const entry = (at: string, local_time: string, job_id = 'report') => ({
  at,
  local_time,
  job_id,
  job_name: job_id,
  trigger: 0,
  schedule: '30 2 * * *',
  timezone: 'Europe/Berlin',
  paused: false,
  more: false,
});

describe('the calendar of schedules', () => {
  it('names the change of the clock at the first instant after it, in spring and in autumn', () => {
    for (const [before, after, from, to] of [
      ['2027-03-27', '2027-03-28', '+01:00', '+02:00'],
      ['2026-10-24', '2026-10-25', '+02:00', '+01:00'],
    ] as const) {
      const days = daysOf([
        entry(`${before}T12:00:00Z`, `${before}T13:00:00${from}`),
        entry(`${after}T12:00:00Z`, `${after}T14:00:00${to}`),
      ]);
      expect(days.flatMap(({ entries }) => entries.map(({ clockChange }) => clockChange))).toEqual([
        null,
        { from, to },
      ]);
    }
  });

  it('counts the instants of a schedule that share a day, also the hour that autumn has twice', () => {
    const instants = [0, 1, 2].map((hour) =>
      entry(
        `2026-10-25T0${hour}:30:00Z`,
        `2026-10-25T0${hour === 0 ? 2 : hour + 1}:30:00${hour === 0 ? '+02:00' : '+01:00'}`,
      ),
    );
    const [{ entries }] = daysOf(instants) as [ReturnType<typeof daysOf>[number]];
    expect(entries).toMatchObject([{ count: 3, clockChange: { from: '+02:00', to: '+01:00' } }]);
  });
});
