import type { Job, JobDefinition } from '../../../client/src/index.js';
import { changeText, definitionOf, jobChanges } from '../../../client/src/index.js';

const CRON = { type: 'cron', schedule: '0 6 * * *', timezone: 'UTC' } as const;

const job: Job = {
  id: 'report',
  name: 'Report',
  description: null,
  handler: 'report',
  timeout_ms: 60_000,
  retries: 0,
  priority: 0,
  acts_as: 'service',
  retry_backoff: { type: 'exponential', initial_ms: 1_000, max_ms: 60_000, multiplier: 2 },
  triggers: [CRON],
  paused: false,
  max_concurrent_runs: null,
  next_fire_at: null,
  last_run: null,
  created_at: '2026-11-21T12:00:00.000Z',
  updated_at: '2026-11-21T12:00:00.000Z',
};

const definition: JobDefinition = { id: 'report', name: 'Report', handler: 'report', triggers: [CRON] };

const changed = (fields: Partial<JobDefinition>, before: Partial<Job> = {}): string[] =>
  jobChanges({ ...job, ...before }, { ...definition, ...fields }).map(changeText);

describe('what a manifest changes of a job', () => {
  it('is nothing where both mean the same', () => {
    expect(changed({})).toEqual([]);
    expect(changed({ retry_backoff: { ...job.retry_backoff, jitter: 0 } })).toEqual([]);
    expect(changed({}, { paused: true })).toEqual([]);
  });

  it('is named by its path, with what was and what will be', () => {
    expect(
      changed({
        name: 'Daily report',
        retries: 3,
        retry_backoff: { ...job.retry_backoff, max_ms: 5_000 },
        triggers: [{ ...CRON, schedule: '0 7 * * *' }],
      }),
    ).toEqual([
      'name "Report" → "Daily report"',
      'retries 0 → 3',
      'retry_backoff.max_ms 60000 → 5000',
      'triggers[0].schedule "0 6 * * *" → "0 7 * * *"',
    ]);
  });

  it('includes what the manifest leaves out, which falls back to its default', () => {
    const bare = { id: 'report', name: 'Report', handler: 'report' };
    const before = { ...job, retries: 5, description: 'Old', max_concurrent_runs: 2 };
    expect(jobChanges(before, bare).map(changeText)).toEqual([
      'description "Old" → null',
      'retries 5 → 0',
      `triggers[0] - ${JSON.stringify(CRON)}`,
      'max_concurrent_runs 2 → null',
    ]);
  });

  it('shows what is new as such', () => {
    expect(
      changed({
        triggers: [
          { ...CRON, misfire: 'skip' },
          { ...CRON, schedule: '@x' },
        ],
      }),
    ).toEqual([
      'triggers[0].misfire + "skip"',
      'triggers[1] + {"type":"cron","schedule":"@x","timezone":"UTC"}',
    ]);
  });
});

describe('the definition of a registered job', () => {
  it('leaves out what the server adds, and defaults', () => {
    expect(definitionOf(job)).toEqual({
      id: 'report',
      name: 'Report',
      handler: 'report',
      timeout_ms: 60_000,
      triggers: [CRON],
    });
  });

  it.each<Partial<Job>>([
    {},
    { description: 'Old', retries: 3, priority: -2, triggers: [], paused: true },
    { retry_backoff: { ...job.retry_backoff, max_ms: 5_000, jitter: 0.5 }, max_concurrent_runs: 2 },
    { start_within_ms: 1_000, retention_days: 7, invocable_by: 'authenticated' },
    { acts_as: 'caller' },
    { permissions: ['data:orders:read'] },
    { problems: [] },
    { retry_on: { status: [503] } },
    {
      triggers: [
        { ...CRON, payload: { region: 'eu', parts: [1, { deep: null }] } },
        {
          type: 'webhook',
          path: '/hooks/report',
          verify: { type: 'hmac', format: 'github', secret: 'vault:github/webhook' },
        },
      ] as Job['triggers'],
    },
  ])('changes nothing: %j', (fields) => {
    const before = { ...job, ...fields };
    expect(jobChanges(before, definitionOf(before))).toEqual([]);
  });
});
