import { openRunsOf } from '../../../console/src/pages/queue/open-runs.js';

const point = (accepted: number, completed: number, failed = 0, cancelled = 0) => ({
  accepted,
  completed,
  failed,
  cancelled,
});

describe('the open runs over time', () => {
  it('follow from those that are open now and from what was accepted and ended since', () => {
    expect(openRunsOf([point(5, 0), point(10, 4, 1), point(0, 0), point(2, 3, 1, 4)], 4)).toEqual([
      5, 10, 10, 4,
    ]);
  });

  it('are never less than none, since the queue and the stats are read a moment apart', () => {
    expect(openRunsOf([point(1, 0), point(3, 0)], 2)).toEqual([0, 2]);
  });

  it('are none where there are no intervals', () => {
    expect(openRunsOf([], 7)).toEqual([]);
  });
});
