import { RunsAhead } from '../../../src/jobs/runs/attempt/runs-ahead.js';
import type { ClaimedRun } from '../../../src/jobs/runs/model/run.js';

const MOST = 7;
const AHEAD_MS = 50;

function runs(...ids: string[]): ClaimedRun[] {
  return ids.map((id) => ({ id }) as ClaimedRun);
}

describe('runs that are claimed ahead', () => {
  let ahead: RunsAhead;

  beforeEach(() => {
    ahead = new RunsAhead(MOST, AHEAD_MS);
  });

  it.each([
    ['2 ms', 2, MOST],
    ['10 ms', 10, 5],
    ['26 ms', 26, 1],
    ['51 ms', 51, 0],
    ['a second', 1000, 0],
  ])(
    'are as many as calls of %s end within a moment, and no more than the tenant has slots',
    (_title, callMs, most) => {
      expect(ahead.next('a', callMs)).toBeNull();
      // One of them is for the slot itself.
      expect(ahead.ask('a', false)).toBe(most + 1);
    },
  );

  it('are none for a while after a call that took long', () => {
    ahead.next('a', 1000);
    ahead.next('a', 1);
    expect(ahead.ask('a', true)).toBe(0);
    expect(ahead.ask('a', false)).toBe(1);
  });

  it('are asked for only as far as neither claimed nor asked for yet', () => {
    ahead.next('a', 10);
    expect(ahead.ask('a', false)).toBe(6);
    // Its own slot is all that another one asks for.
    expect(ahead.ask('a', false)).toBe(1);
    ahead.add('a', 6, runs('1', '2', '3'));
    ahead.add('a', 1, []);
    expect(ahead.ask('a', true)).toBe(2);
  });

  it('follow in their turn, in the slots of their tenant alone', () => {
    ahead.next('a', 1);
    ahead.ask('a', false);
    ahead.add('a', 8, runs('1', '2', '3'));
    expect(ahead.next('b', 1)).toBeNull();
    expect(ahead.waiting()).toEqual(['a']);
    expect([ahead.next('a', 1)?.id, ahead.take('a')?.id, ahead.take('a')?.id]).toEqual(['1', '2', '3']);
    expect([ahead.take('a'), ahead.waiting()]).toEqual([null, []]);
  });

  it('are forgotten with their tenant once none is left or under way', () => {
    ahead.next('a', 1000);
    const asked = ahead.ask('a', false);
    ahead.forget('a');
    ahead.add('a', asked, []);
    ahead.forget('a');
    expect(ahead.next('a', 1)).toBeNull();
    expect(ahead.ask('a', true)).toBe(MOST);
  });
});
