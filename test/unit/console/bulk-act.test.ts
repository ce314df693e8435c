import { countsByJob, mayConcern } from '../../../console/src/pages/runs/bulk-act.js';

let made = 0;
const run = (job_id: string, status: 'queued' | 'completed' | 'failed') => ({
  id: `run_${(made += 1)}`,
  job_id,
  status,
});

describe('what can be done to the runs of a filter', () => {
  it('is not offered where no status of the filter allows it', () => {
    expect(mayConcern('cancel', 'failed,completed')).toBe(false);
    expect(mayConcern('retry', 'failed')).toBe(true);
    expect(mayConcern('retry', 'queued')).toBe(false);
    expect(mayConcern('cancel', 'failed,running')).toBe(true);
    expect(mayConcern('cancel', '')).toBe(true);
  });

  it('is counted by job, where the list shows every run that matches', () => {
    const shown = [
      run('import', 'failed'),
      run('report', 'failed'),
      run('report', 'completed'),
      run('x', 'queued'),
    ];
    expect(countsByJob(shown, 'retry', 3)).toEqual([
      ['report', 2],
      ['import', 1],
    ]);
    expect(countsByJob(shown, 'retry', 4)).toEqual([]);
    expect(countsByJob(shown, 'cancel', undefined)).toEqual([]);
  });

  it('is not counted where a retry is in the list, which stands for the run that it retries', () => {
    const failed = run('import', 'failed');
    const shown = [{ ...run('import', 'failed'), retry_of: failed.id }, failed];
    expect(countsByJob(shown, 'retry', 1)).toEqual([['import', 1]]);
  });
});
