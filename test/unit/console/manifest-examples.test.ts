import { endOf, jobIdsOf, manifestOf, withExample } from '../../../console/src/pages/manifest/example.js';

const job = { id: 'report', name: 'Report', handler: 'report' };

describe('examples in a manifest', () => {
  it('a job comes after the others, with an id that none of them has', () => {
    const once = withExample({ jobs: [job] }, 'job');
    expect(withExample(once, 'job').jobs.map(({ id }) => id)).toEqual(['report', 'my-job', 'my-job-2']);
  });

  it('a trigger is one more of the last job', () => {
    const schedule = withExample({ jobs: [{ ...job, id: 'first' }, job] }, 'schedule');
    const both = withExample(schedule, 'webhook');
    expect(both.jobs).toMatchObject([
      { id: 'first' },
      {
        ...job,
        triggers: [
          { type: 'cron' },
          { type: 'webhook', path: expect.stringMatching(/^\/hooks\/github-[0-9a-f]{8}$/) as string },
        ],
      },
    ]);
    expect(both.jobs[0]).not.toHaveProperty('triggers');
  });

  it('a trigger goes into the job that was chosen, which stays where it is', () => {
    const manifest = { jobs: [{ ...job, id: 'first' }, { ...job, id: 'second' }, job] };
    const changed = withExample(manifest, 'schedule', 'second');
    expect(changed.jobs).toEqual([
      manifest.jobs[0],
      { ...manifest.jobs[1], triggers: [expect.objectContaining({ type: 'cron' })] },
      job,
    ]);
    expect(endOf(changed, 'second')).toBeGreaterThan(0.5);
    expect(endOf(changed, 'second')).toBeLessThan(1);
    expect(withExample(manifest, 'schedule', 'gone').jobs[2]).toHaveProperty('triggers');
  });

  it('a job can be chosen once, however often the text has it, and not without an id', () => {
    const nameless = { name: 'x' } as unknown as typeof job;
    expect(jobIdsOf({ jobs: [job, job, nameless, { ...job, id: '' }] })).toEqual(['report']);
  });

  it('a trigger without a job brings one', () => {
    expect(withExample({ jobs: [] }, 'webhook').jobs).toMatchObject([
      { id: 'my-job', triggers: [{ type: 'webhook' }] },
    ]);
  });

  it.each(['{', '[]', 'null', '{"jobs": {}}', '{"jobs": [1]}', '{"jobs": [], "n": 9007199254740993}'])(
    'cannot be put into %s',
    (text) => {
      expect(manifestOf(text)).toBeNull();
    },
  );

  it('may be the first of a blank text', () => {
    expect(manifestOf(' \n')).toEqual({ jobs: [] });
  });
});
