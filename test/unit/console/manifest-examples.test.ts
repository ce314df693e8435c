import { manifestOf, withExample } from '../../../console/src/pages/manifest/example.js';

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
