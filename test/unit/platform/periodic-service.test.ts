import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { PeriodicService } from '../../../src/platform/lifecycle/index.js';
import { until } from '../../support/until.js';

class CountingService extends PeriodicService {
  runs = 0;
  atOnce = 0;
  mostAtOnce = 0;
  work: () => Promise<void> = () => Promise.resolve();

  constructor(intervalMs = 1) {
    super(new SchedulerRegistry(), 'counting', intervalMs);
  }

  async runOnce(): Promise<void> {
    this.runs += 1;
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    try {
      await this.work();
    } finally {
      this.atOnce -= 1;
    }
  }

  async deleteAll(batches: number[], maxBatches?: number): Promise<number> {
    const bounds = maxBatches === undefined ? { batchSize: 10 } : { batchSize: 10, maxBatches };
    return await this.deleteInBatches(() => Promise.resolve(batches.shift() ?? 0), bounds);
  }
}

describe('a periodic service', () => {
  beforeAll(() => {
    Logger.overrideLogger(false);
  });

  it('runs at its start, and again after each interval', async () => {
    const service = new CountingService();
    await service.start();
    expect(service.runs).toBe(1);
    await until(() => service.runs >= 3);
    await service.stop();
  });

  it('runs again after a run that failed', async () => {
    const service = new CountingService();
    service.work = () => Promise.reject(new Error('the database is away'));
    await service.start();
    await until(() => service.runs >= 3);
    await service.stop();
  });

  it('skips intervals while a run is in progress, and waits for that run when it stops', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const service = new CountingService();
    let finish = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    service.work = () => held;
    await service.start();
    let hasStopped = false;
    // Ten of its intervals elapse.
    await jest.advanceTimersByTimeAsync(10);
    const stopping = service.stop().then(() => (hasStopped = true));
    await new Promise(setImmediate);
    expect([service.runs, service.mostAtOnce, hasStopped]).toEqual([1, 1, false]);
    finish();
    await stopping;
    expect(service.atOnce).toBe(0);
    jest.useRealTimers();
  });

  it('deletes batch by batch until one is not full, and counts the rows', async () => {
    const service = new CountingService();
    const batches = [10, 10, 3, 10];
    expect(await service.deleteAll(batches)).toBe(23);
    expect(batches).toEqual([10]);
    expect(await service.deleteAll([10, 10, 10], 2)).toBe(20);
  });

  it('begins no further batch once it drains', async () => {
    const service = new CountingService();
    await service.drain();
    expect(await service.deleteAll([10, 10])).toBe(0);
  });
});
