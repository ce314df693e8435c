import { setTimeout as wait } from 'node:timers/promises';
import { LineBudget } from '../../../src/jobs/invoker/function-host/runner/line-budget.js';
import type { RunnerLine } from '../../../src/jobs/invoker/function-host/runner/runner-protocol.js';
import { until } from '../../support/until.js';

const LABEL = { runId: 'run_1', attempt: 1 };

function keyOf({ runId }: RunnerLine): string {
  return runId ?? '';
}

function line(message: string): RunnerLine {
  return { ...LABEL, level: 'info', message, at: Date.now() };
}

describe('lines that pass two stations', () => {
  it('are counted once where they are dropped, though the line that says so finds no capacity either', async () => {
    const arrived: RunnerLine[] = [];
    let hasFreeSlot = false;
    const second = new LineBudget<RunnerLine>(
      keyOf,
      (each) => arrived.push(each),
      () => hasFreeSlot,
    );
    const first = new LineBudget<RunnerLine>(keyOf, (each) => {
      second.push(each);
    });
    for (let count = 0; count < 7000; count += 1) first.push(line('x'));
    // The first has said by now how many it dropped, and the second has dropped that.
    await wait(1500);
    expect(arrived).toEqual([]);
    hasFreeSlot = true;
    await until(() => arrived.length > 0);
    expect(arrived).toEqual([
      expect.objectContaining({
        ...LABEL,
        level: 'warn',
        message: expect.stringMatching(/^7000 lines dropped/),
      }),
    ]);
  });
});
