import { cutLine, LineBudget } from '../../../src/jobs/invoker/function-host/runner/line-budget.js';
import type { RunnerLine } from '../../../src/jobs/invoker/function-host/runner/runner-protocol.js';
import { until } from '../../support/until.js';

const LABEL = { runId: 'run_1', attempt: 1 };

function keyOf({ runId }: RunnerLine): string {
  return runId ?? '';
}

function line(message: string): RunnerLine {
  return { ...LABEL, level: 'info', message, at: Date.now() };
}

describe('a line of a function', () => {
  it('is cut at 8 KiB, between two characters', () => {
    const cut = cutLine('ä'.repeat(10_000));
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(8192);
    expect(cut).toMatch(/^ä+ … \(cut, 20000 bytes in all\)$/);
  });

  it('has characters that PostgreSQL refuses as JSON writes them, whether or not it is cut', () => {
    expect(cutLine('a\0b\ud800c😀')).toBe('a\\u0000b\\ud800c😀');
    expect(cutLine('\0'.repeat(10_000))).toMatch(/^(?:\\u0000)+(?:\\u?0*)? … \(cut, 10000 bytes in all\)$/);
  });
});

describe('lines that pass two budgets', () => {
  it('are counted once when the first budget drops them and the second drops the report of it', async () => {
    const arrived: RunnerLine[] = [];
    let canDeliver = false;
    let isReported = false;
    const second = new LineBudget<RunnerLine>(
      keyOf,
      (each) => arrived.push(each),
      () => canDeliver,
    );
    const first = new LineBudget<RunnerLine>(keyOf, (each) => {
      second.push(each);
      isReported ||= each.dropped !== undefined;
    });
    for (let count = 0; count < 7000; count += 1) first.push(line('x'));
    // The first says how many it dropped, and the second drops that.
    await until(() => isReported);
    expect(arrived).toEqual([]);
    canDeliver = true;
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
