import { jest } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { PipeTurns } from '../../../src/jobs/invoker/function-host/process/pipe-turns.js';
import type { ProcessPipes } from '../../../src/jobs/invoker/function-host/process/pipe-turns.js';
import type { PipeParser } from '../../../src/jobs/invoker/function-host/runner/pipe-parser.js';
import { until } from '../../support/until.js';

const WINDOW_MS = 1000;
const SHARE_MS = 250;

const STEP_MS = 0.5;

/** Never comes to the end of what it was given, and takes half a millisecond for each step. */
class EndlessParser implements PipeParser {
  steps = 0;
  isOver = false;

  constructor(private readonly spend: (milliseconds: number) => void) {}

  add(): void {
    // What comes does not matter.
  }

  takeNext(): boolean {
    this.spend(STEP_MS);
    this.steps += 1;
    return !this.isOver;
  }

  end(): void {
    this.isOver = true;
  }
}

/** Takes one part at a time. */
class CountingParser implements PipeParser {
  taken = 0;
  hasEnded = false;
  private waiting = 0;

  add(): void {
    this.waiting += 1;
  }

  takeNext(): boolean {
    if (this.waiting === 0) return false;
    this.waiting -= 1;
    this.taken += 1;
    return true;
  }

  end(): void {
    this.hasEnded = true;
  }
}

describe('the pipes of functions', () => {
  let turns: PipeTurns;
  let flooding: ProcessPipes;
  let endless: EndlessParser;
  let spentMs: number;

  beforeEach(() => {
    turns = new PipeTurns();
    flooding = turns.ofProcess();
    spentMs = 0;
    // Steps take their time by this clock, which stands still beside them, as no processor does. It begins at a whole number:
    // sums with a fraction are not exact.
    const startedAt = Math.trunc(performance.now());
    jest.spyOn(performance, 'now').mockImplementation(() => startedAt + spentMs);
    endless = new EndlessParser((milliseconds) => (spentMs += milliseconds));
    const pipe = new PassThrough();
    flooding.read(pipe, endless);
    pipe.write('x');
  });

  afterEach(() => {
    endless.isOver = true;
    flooding.startWindow();
    jest.restoreAllMocks();
  });

  it('are read only for their share of each second if their process floods them', async () => {
    await until(() => flooding.waitMs > 0);
    const { steps } = endless;
    expect(steps * STEP_MS).toBe(SHARE_MS);
    expect(flooding.waitMs).toBe(WINDOW_MS - SHARE_MS);
    spentMs += flooding.waitMs;
    await until(() => endless.steps > steps);
  });

  it('are read while another process floods its pipes', async () => {
    const parser = new CountingParser();
    const pipe = new PassThrough();
    turns.ofProcess().read(pipe, parser);
    for (let part = 1; part <= 100; part += 1) {
      pipe.write('x');
      await until(() => parser.taken === part);
    }
    expect(endless.steps).toBeGreaterThan(0);
  });

  it('are read to their end without waiting after their process has ended', async () => {
    await until(() => flooding.waitMs > 0);
    const { steps } = endless;
    flooding.startWindow();
    expect(flooding.waitMs).toBe(0);
    await until(() => endless.steps > steps);
  });

  it('are not read further while too much data is unread', async () => {
    const pipe = new PassThrough({ highWaterMark: 64 * 1024 });
    flooding.read(pipe, endless);
    const part = Buffer.alloc(64 * 1024);
    for (let written = 0; written < 100; written += 1) pipe.write(part);
    await until(() => pipe.isPaused());
    expect(pipe.writableLength + pipe.readableLength).toBeGreaterThan(80 * part.length);
  });

  it('end when everything has been read', async () => {
    const parser = new CountingParser();
    const pipes = turns.ofProcess();
    const pipe = new PassThrough();
    pipes.read(pipe, parser);
    pipe.end('last');
    await pipes.allRead();
    expect([parser.taken, parser.hasEnded]).toEqual([1, true]);
  });
});
