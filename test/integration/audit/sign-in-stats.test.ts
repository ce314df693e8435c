import { Client, PASSWORD, signUp } from '../../support/client.js';
import { signIn } from '../../support/accounts.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

const ADMIN_TOKEN = 'operator-of-these-figures';

interface Point {
  at: string;
  signed_up: number;
  signed_in: number;
  refused: number;
  unanswered: number;
}

describe('the figures of sign-ins', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start(variables());
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  function variables(): Record<string, string> {
    return { ...environment.variables, SERVICE_ROLE: 'api', SERVICE_ADMIN__TOKEN: ADMIN_TOKEN };
  }

  async function stats(query = 'interval=1h'): Promise<{ status: number; body: Point[] }> {
    const operator = new Client(service.url).as(ADMIN_TOKEN);
    return await operator.get<Point[]>(`/admin/v1/sign-ins/stats?${query}`);
  }

  function sum(points: readonly Point[], figure: Exclude<keyof Point, 'at'>): number {
    return points.reduce((total, point) => total + point[figure], 0);
  }

  it('count what both of two processes saw, and survive one of them', async () => {
    const other = await ServiceProcess.start(variables());
    const { email } = await signUp(service.url);
    for (const url of [service.url, other.url ?? '']) {
      await signIn(new Client(url), email, PASSWORD);
      expect((await signIn(new Client(url), email, 'a wrong password')).status).toBe(401);
    }
    // What was not yet written is written when a process stops.
    await other.stop();
    await until(async () => sum((await stats()).body, 'refused') === 2);
    const { body: points } = await stats();
    expect(points).toHaveLength(60);
    expect([sum(points, 'signed_up'), sum(points, 'signed_in'), sum(points, 'unanswered')]).toEqual([
      1, 2, 0,
    ]);
    const newest = points.at(-1);
    expect(Date.parse(newest?.at ?? '') % 3_600_000).toBe(0);
  });

  it('lose nothing that could not be written at once', async () => {
    const before = sum((await stats()).body, 'refused');
    // A sequence counts the attempts, since it is not rolled back with them.
    await environment.database.query(`
      CREATE SEQUENCE attempts;
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM nextval('public.attempts'); RAISE EXCEPTION 'not now'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON sign_in_stats FOR EACH STATEMENT EXECUTE FUNCTION refuse()`);
    await signIn(new Client(service.url), 'nobody@example.com', PASSWORD);
    await until(async () => {
      const [attempts] = await environment.database.query<{ is_called: boolean }>(
        'SELECT is_called FROM attempts',
      );
      return attempts?.is_called === true;
    });
    await environment.database.query(
      'DROP TRIGGER refuse ON sign_in_stats; DROP FUNCTION refuse; DROP SEQUENCE attempts',
    );
    await until(async () => sum((await stats()).body, 'refused') === before + 1);
  });

  it('are by days where wanted, are kept for 400 days, and are for operators alone', async () => {
    await environment.database.query(
      `INSERT INTO sign_in_stats (at, signed_up, signed_in, refused, unanswered)
       VALUES ('2026-01-01T10:05Z', 1, 2, 3, 4), ('2026-01-01T23:55Z', 1, 2, 3, 4),
              (now() - interval '401 days', 0, 1, 0, 0)`,
    );
    const { body } = await stats('interval=1d&since=2026-01-01T00:00:00Z&until=2026-01-03T00:00:00Z');
    expect(body).toEqual([
      { at: '2026-01-01T00:00:00.000Z', signed_up: 2, signed_in: 4, refused: 6, unanswered: 8 },
      { at: '2026-01-02T00:00:00.000Z', signed_up: 0, signed_in: 0, refused: 0, unanswered: 0 },
    ]);
    await signIn(new Client(service.url), 'nobody@example.com', PASSWORD);
    await until(
      async () =>
        (await environment.database.query(`SELECT FROM sign_in_stats WHERE at < now() - interval '400 days'`))
          .length === 0,
    );
    expect(await stats('interval=5m&since=2026-01-01T00:00:00Z')).toMatchObject({ status: 400 });
    expect(await stats('interval=1m')).toMatchObject({ status: 400 });
    const { client } = await signUp(service.url);
    expect((await client.get('/admin/v1/sign-ins/stats')).status).toBe(401);
  });
});
