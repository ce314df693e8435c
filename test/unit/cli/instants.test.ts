import { Terminal } from '../../../servicectl/src/terminal.js';

const AT = '2026-11-21T12:00:00.123Z';

describe('an instant that is shown', () => {
  it('is to the second, and of a log line to the millisecond', () => {
    const terminal = new Terminal(false, true);
    expect(terminal.instant(AT)).toBe('2026-11-21 12:00:00Z');
    expect(terminal.lineInstant(AT)).toBe('2026-11-21 12:00:00.123Z');
    expect(terminal.instant(null)).toBe('');
  });

  it('is in local time without --utc, summer time included', () => {
    const local = (instant: string): string => {
      const at = new Date(instant);
      const two = (number: number): string => String(number).padStart(2, '0');
      return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}:00`;
    };
    const terminal = new Terminal(false);
    for (const instant of ['2026-01-01T00:00:00.000Z', '2026-07-01T23:30:00.000Z'])
      expect(terminal.instant(instant)).toBe(local(instant));
  });
});
