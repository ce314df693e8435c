import { Logger } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import type { TenantId } from '../../../src/http/index.js';
import { PostponedSchedules } from '../../../src/scheduler/postponed-schedules.js';

const MINUTE_MS = 60_000;

describe('postponed schedules', () => {
  let lines: string[];
  let total: Counter;
  let schedules: PostponedSchedules;

  beforeEach(() => {
    lines = [];
    const ignore = (): void => undefined;
    const warn = (message: string): number => lines.push(message);
    Logger.overrideLogger({ log: ignore, error: ignore, warn });
    total = new Counter({ name: 'total', help: 'total', registers: [new Registry()] });
    schedules = new PostponedSchedules(total);
  });

  afterEach(() => {
    Logger.overrideLogger(true);
  });

  const tenants = (...names: string[]): TenantId[] => names as TenantId[];
  const count = async (): Promise<number | undefined> => (await total.get()).values[0]?.value;

  it('leave one line a minute in the log, which sums up what came since the line before', async () => {
    schedules.record(tenants('a'), 1000);
    for (let second = 2; second < 61; second += 1) schedules.record(tenants('b', 'c'), second * 1000);
    expect(lines).toHaveLength(1);
    schedules.record(tenants('a'), 1000 + MINUTE_MS);
    expect(lines).toEqual([
      expect.stringMatching(/^postponed schedules \(1 times .* by a$/),
      expect.stringMatching(/^postponed schedules \(119 times .* by b, c, a$/),
    ]);
    expect(await count()).toBe(120);
  });

  it('name five tenants at most', () => {
    schedules.record(tenants('a', 'b', 'c', 'd', 'e'), 0);
    schedules.record(tenants('a', 'b', 'c', 'd', 'e', 'f', 'g'), MINUTE_MS);
    expect(lines.map((line) => line.replace(/^.* by /, ''))).toEqual([
      'a, b, c, d, e',
      'a, b, c, d, e and others',
    ]);
  });

  it('leave no line and no count if there are none', async () => {
    schedules.record([], 0);
    expect([lines, await count()]).toEqual([[], 0]);
  });
});
