import { Client, signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { registerJobs } from '../../support/runs.js';
import { ScheduleClock } from '../../support/schedule-clock.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { itInOrganizations } from '../../support/profile.js';

interface Refusal {
  error: { code: string; details: { path: string; message: string }[] };
}

describe('an instance with only the role api', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let client: Client;

  beforeAll(async () => {
    environment = await createEnvironment();
    await ScheduleClock.takeOver(environment.database, '2026-03-02T11:59:30Z');
    const variables: Record<string, string> = { ...environment.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    service = await ServiceInProcess.start({
      ...variables,
      SERVICE_ROLE: 'api',
      SERVICE_FUNCTIONS__URL: 'http://127.0.0.1:1/{handler}',
    });
    ({ client } = await signUpOwner(service.url));
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  function manifestOf(...triggers: Record<string, unknown>[]): Record<string, unknown> {
    const job = { name: 'Report', handler: 'report' };
    return {
      jobs: [
        { ...job, id: 'plain' },
        { ...job, id: 'report', triggers: triggers.map((own) => ({ type: 'cron', ...own })) },
      ],
    };
  }

  it.each([
    ['* * * * * *', 'must be five fields (minute, hour, day of month, month, day of week), not 6'],
    ['*/15  9-17 * *', 'must be five fields (minute, hour, day of month, month, day of week), not 4'],
    ['@reboot', 'must be five fields; "@reboot" is not supported'],
    ['@daily', 'must be five fields; "@daily" is not supported'],
    ['0 0 31 2 *', 'never matches any date'],
    ['0 25 * * *', 'has "25" as hour, which must be 0 to 23'],
  ])('refuses the schedule %j with its path', async (schedule, message) => {
    const { status, body } = await client.post<Refusal>(
      '/jobs/v1/jobs',
      manifestOf({ schedule: '0 0 * * *' }, { schedule }),
    );
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'jobs[1].triggers[1].schedule', message }],
    });
  });

  it('refuses an unknown time zone, and lists all problems at once', async () => {
    const { status, body } = await client.post<Refusal>(
      '/jobs/v1/jobs',
      manifestOf(
        { schedule: '0 0 * * *', timezone: 'Mars/Olympus' },
        { schedule: '61 0 * * *', timezone: '+02:00' },
      ),
    );
    expect(status).toBe(400);
    expect(body.error.details.map(({ path }) => path)).toEqual([
      'jobs[1].triggers[0].timezone',
      'jobs[1].triggers[1].schedule',
      'jobs[1].triggers[1].timezone',
    ]);
    expect((await client.get('/jobs/v1/jobs/plain/next')).status).toBe(404);
  });

  it('reports the same manifest as unchanged the second time', async () => {
    const manifest = manifestOf({
      schedule: '0 0 * * 7',
      timezone: 'Europe/Berlin',
      payload: { b: 1, a: [] },
    });
    await client.post('/jobs/v1/jobs', manifest);
    const { body } = await client.post<{ jobs: { change: string }[] }>('/jobs/v1/jobs', manifest);
    expect(body.jobs.map(({ change }) => change)).toEqual(['unchanged', 'unchanged']);
  });

  describe('returns when the schedules of a job fire next', () => {
    beforeAll(async () => {
      await registerJobs(client, {
        report: {
          triggers: [
            { type: 'cron', schedule: '*/30 * * * *' },
            { type: 'cron', schedule: '30 2 * * *', timezone: 'Europe/Berlin' },
          ],
        },
        plain: {},
        resting: { triggers: [{ type: 'cron', schedule: '0 0 1 1 *' }], paused: true },
      });
    });

    it('for five fire times from now on by default', async () => {
      const { status, body } = await client.get('/jobs/v1/jobs/report/next');
      expect(status).toBe(200);
      expect(body).toEqual([
        {
          trigger: 0,
          schedule: '*/30 * * * *',
          timezone: 'UTC',
          next: [
            '2026-03-02T12:00:00.000Z',
            '2026-03-02T12:30:00.000Z',
            '2026-03-02T13:00:00.000Z',
            '2026-03-02T13:30:00.000Z',
            '2026-03-02T14:00:00.000Z',
          ],
        },
        {
          trigger: 1,
          schedule: '30 2 * * *',
          timezone: 'Europe/Berlin',
          next: [3, 4, 5, 6, 7].map((day) => `2026-03-0${day}T01:30:00.000Z`),
        },
      ]);
    });

    it('for 1 to 100 fire times, from any instant on, across a clock change', async () => {
      const from = encodeURIComponent('2026-03-28T12:00:00+01:00');
      const { body } = await client.get<{ next: string[] }[]>(
        `/jobs/v1/jobs/report/next?count=2&from=${from}`,
      );
      expect(body.map(({ next }) => next)).toEqual([
        ['2026-03-28T11:30:00.000Z', '2026-03-28T12:00:00.000Z'],
        ['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z'],
      ]);
      const most = await client.get<{ next: string[] }[]>('/jobs/v1/jobs/report/next?count=100');
      expect(most.body.map(({ next }) => next.length)).toEqual([100, 100]);
    });

    it('even for a paused job, and nothing for a job without schedules', async () => {
      expect((await client.get('/jobs/v1/jobs/resting/next?count=1')).body).toEqual([
        { trigger: 0, schedule: '0 0 1 1 *', timezone: 'UTC', next: ['2027-01-01T00:00:00.000Z'] },
      ]);
      expect((await client.get('/jobs/v1/jobs/plain/next')).body).toEqual([]);
    });

    it.each([
      'count=0',
      'count=101',
      'count=1.5',
      'count=',
      'from=2026-03-28',
      'from=3000-01-01T00:00:00Z',
      'from=2026-W10-1T10:00:00Z',
      'from=2026-123T10:00:00Z',
    ])('but not for %s', async (query) => {
      const { status, body } = await client.get<Refusal>(`/jobs/v1/jobs/report/next?${query}`);
      expect([status, body.error.details.map(({ path }) => path)]).toEqual([400, [query.split('=')[0]]]);
    });

    it('but not from what is no instant, with the form that is taken', async () => {
      const { body } = await client.get<Refusal>('/jobs/v1/jobs/report/next?from=x');
      expect(body.error.details).toEqual([
        { path: 'from', message: 'must be an ISO 8601 instant, such as 2026-01-31T12:00:00Z' },
      ]);
    });

    itInOrganizations('not to callers without jobs:jobs:read, and not across organizations', async () => {
      const { client: owner, slug } = await signUpOwner(service.url);
      const foreign = await owner.get<Refusal>('/jobs/v1/jobs/report/next');
      expect([foreign.status, foreign.body.error.code]).toEqual([404, 'job_not_found']);
      const { body } = await owner.post<{ key: string }>(`/auth/v1/orgs/${slug}/api-keys`, {
        name: 'reads runs',
        permissions: ['jobs:runs:read'],
      });
      const refused = await new Client(service.url).as(body.key).get<Refusal>('/jobs/v1/jobs/report/next');
      expect([refused.status, refused.body.error.code]).toEqual([403, 'permission_denied']);
    });
  });

  describe('shows when all schedules fire', () => {
    interface Entry {
      job_id: string;
      trigger: number;
      at: string;
      local_time: string;
      paused: boolean;
      more: boolean;
    }
    let owner: Client;

    beforeAll(async () => {
      ({ client: owner } = await signUpOwner(service.url));
      await registerJobs(owner, {
        nightly: {
          triggers: [
            { type: 'cron', schedule: '30 2 * * *', timezone: 'Europe/Berlin' },
            { type: 'cron', schedule: '30 1 * * *' },
          ],
        },
        Hourly: { triggers: [{ type: 'cron', schedule: '0 */6 * * *' }], paused: true },
      });
    });

    async function entries(query: string): Promise<Entry[]> {
      const { status, body } = await owner.get<Entry[]>(`/jobs/v1/schedule?${query}`);
      expect(status).toBe(200);
      return body;
    }

    it('in order of time, with the local times of a day whose clock changes', async () => {
      const day = 'since=2026-03-28T23:00:00Z&until=2026-03-29T12:00:00Z';
      expect(
        (await entries(day)).map(({ job_id, trigger, local_time }) => [job_id, trigger, local_time]),
      ).toEqual([
        ['Hourly', 0, '2026-03-29T00:00:00+00:00'],
        // 02:30 does not exist on this day.
        ['nightly', 0, '2026-03-29T03:00:00+02:00'],
        ['nightly', 1, '2026-03-29T01:30:00+00:00'],
        ['Hourly', 0, '2026-03-29T06:00:00+00:00'],
      ]);
    });

    it('for the coming seven days by default, with the paused jobs marked', async () => {
      const week = await entries('limit=1000');
      expect(week[0]).toMatchObject({ job_id: 'Hourly', at: '2026-03-02T12:00:00.000Z', paused: true });
      expect(week.at(-1)).toMatchObject({ job_id: 'Hourly', at: '2026-03-09T06:00:00.000Z' });
      expect(week).toHaveLength(4 * 7 + 2 * 7);
      expect(await entries('limit=1000&job_id=nightly')).toEqual(week.filter((entry) => !entry.paused));
    });

    it('in pages that leave out nothing, even where several schedules fire at once', async () => {
      const query = 'since=2026-03-02T00:00:00Z&until=2026-03-05T00:00:00Z';
      const all = await entries(query);
      expect(all).toHaveLength(18);
      const paged: Entry[] = [];
      for (let path: string | undefined = `/jobs/v1/schedule?${query}&limit=1`; path !== undefined;) {
        const answer: { headers: Headers; body: Entry[] } = await owner.get<Entry[]>(path);
        paged.push(...answer.body);
        path = /<([^>]*)>/.exec(answer.headers.get('link') ?? '')?.[1];
      }
      expect(paged).toEqual(all);
    });

    it('with at most so many instants of each schedule on a page, and says of the last whether more follow', async () => {
      const query = 'since=2026-03-02T00:00:00Z&until=2026-03-05T00:00:00Z&per_trigger=3';
      const of = (page: readonly Entry[], jobId: string, position: number): boolean[] =>
        page
          .filter(({ job_id, trigger }) => job_id === jobId && trigger === position)
          .map(({ more }) => more);
      const all = await entries(query);
      expect([of(all, 'Hourly', 0), of(all, 'nightly', 0), of(all, 'nightly', 1)]).toEqual([
        [false, false, true],
        [false, false, false],
        [false, false, false],
      ]);
      // Where a page is full before, the next one counts anew: it costs no more than what it shows.
      const { headers, body: first } = await owner.get<Entry[]>(`/jobs/v1/schedule?${query}&limit=8`);
      const next = /<([^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
      const { body: second } = await owner.get<Entry[]>(next);
      expect(first).toEqual(all.slice(0, 8));
      const placeOf = ({ job_id, trigger, at }: Entry): string => `${at} ${job_id} ${trigger}`;
      const each = (await entries(query.replace('&per_trigger=3', ''))).map(placeOf);
      const last = placeOf(first.at(-1) as Entry);
      expect(second.map(placeOf)).toEqual(each.slice(each.indexOf(last) + 1));
    });

    it('but not for more than 366 days', async () => {
      const tooLong = 'since=2026-01-01T00:00:00Z&until=2027-01-03T00:00:00Z';
      const { status, body } = await owner.get<Refusal>(`/jobs/v1/schedule?${tooLong}`);
      expect([status, body.error.details.map(({ path }) => path)]).toEqual([400, ['until']]);
    });
  });
});
