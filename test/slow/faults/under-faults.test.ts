import { setTimeout as wait } from 'node:timers/promises';
import { Client, signUpOwner } from '../../support/client.js';
import { registerJobs } from '../../support/runs.js';
import { Backlog } from './backlog.js';
import { CronHours } from './cron-hours.js';
import { CAP, Deployment } from './deployment.js';
import { PROCESS_FAULTS, RARER_SERVER_FAULTS, SERVER_FAULTS } from './faults.js';
import type { Fault } from './faults.js';
import { violationsOf } from './history-checker.js';
import type { History } from './history.js';
import { JOBS, Load, MANNERS } from './load.js';
import { RecordingHandlers } from './recording-handlers.js';
import { RunRecords } from './run-records.js';
import { scrape } from './scraping.js';
import { SeededRandom } from './seeded-random.js';

/** How long things go on dying (`npm run test:faults`); without it each fault strikes once. */
const SECONDS = Number(process.env.TEST_FAULTS_SECONDS ?? 0);
/** A failed run is had again, as far as the machine's timing goes, by its seed. */
const SEED = Number(process.env.TEST_FAULTS_SEED ?? Math.floor(Math.random() * 1_000_000));
/** What the contract gives every accepted run once Redis is back. */
const ENDED_WITHIN_MS = 30_000;
/** An end is counted a moment after it is written, and a program that started says so soon. */
const SETTLED_WITHIN_MS = 10_000;
const POLL_MS = 200;
/** Between two faults of a kind; in a long run things come to rest now and then. */
const PAUSE_MS = SECONDS > 0 ? [200, 5000] : [200, 1500];
/** Lines of the programs' logs that are shown with a violation. */
const SHOWN_LINES = 40;

describe(`a deployment under steady load in which everything dies (seed ${SEED})`, () => {
  const struck: string[] = [];
  let handlers: RecordingHandlers;
  let deployment: Deployment;
  let records: RunRecords;
  let backlog: Backlog;
  let load: Load;
  let hours: CronHours;

  beforeAll(async () => {
    handlers = await RecordingHandlers.start(MANNERS);
    deployment = await Deployment.start(handlers);
    records = await RunRecords.begin(deployment.postgres);
    const tenants = [await signUpOwner(apiUrl()), await signUpOwner(apiUrl())].map(({ client }) => client);
    for (const tenant of tenants) await registerJobs(tenant, JOBS);
    backlog = Backlog.watch(records);
    hours = await CronHours.begin(deployment, tenants[0] ?? new Client(apiUrl()), backlog);
    load = new Load(deployment, tenants, backlog, new SeededRandom(SEED));
  });

  afterAll(async () => {
    await backlog.end();
    await deployment.stop();
    await handlers.stop();
  });

  function apiUrl(): string {
    return deployment.api?.process.url ?? '';
  }

  /** One fault after another, in an order of chance, again and again until the time is over; each at least once. */
  async function strike(faults: readonly Fault[], random: SeededRandom, startedAt: number): Promise<void> {
    const [least = 0, most = 0] = PAUSE_MS;
    do {
      for (const fault of random.shuffled(faults)) {
        await wait(random.between(least, most));
        const from = Date.now();
        await fault.strike({ deployment, handlers, random });
        struck.push(`${seconds(from - startedAt)}: ${fault.name}, for ${seconds(Date.now() - from)}`);
      }
    } while (Date.now() < startedAt + SECONDS * 1000);
  }

  async function history(): Promise<History> {
    const processes = await Promise.all(deployment.instances.map(scrape));
    const { accepted, refusals, cancels } = load;
    const { calls } = handlers;
    const { instants } = hours;
    const rows = await records.read();
    return { cap: CAP, accepted, refusals, cancels, calls, instants, processes, ...rows };
  }

  it(
    'ends every accepted run once, within the cap, and counts it where it ended',
    async () => {
      const startedAt = Date.now();
      load.begin();
      try {
        const serverFaults = SECONDS > 0 ? [...SERVER_FAULTS, ...RARER_SERVER_FAULTS] : SERVER_FAULTS;
        // Each has chance of its own, or what one does next would hang on how long the other took.
        await Promise.all([
          strike(PROCESS_FAULTS, new SeededRandom(SEED + 1), startedAt),
          strike(serverFaults, new SeededRandom(SEED + 2), startedAt),
        ]);
      } finally {
        await Promise.all([load.end(), hours.end()]);
        report(Date.now() - startedAt);
      }
      const calmAt = Date.now();
      await becomes(async () => (await records.unfinished()) === 0, ENDED_WITHIN_MS);
      say([`all ended ${seconds(Date.now() - calmAt)} later`]);

      expect(deployment.fallen).toEqual([]);
      let violations: string[] = [];
      await becomes(async () => {
        violations = violationsOf(await history());
        return violations.length === 0;
      }, SETTLED_WITHIN_MS);
      say(linesAbout(violations));
      expect(violations).toEqual([]);
      let health: unknown = null;
      await becomes(async () => {
        ({ body: health } = await new Client(apiUrl()).get('/health'));
        return (health as { status: string }).status === 'ok';
      }, SETTLED_WITHIN_MS);
      expect(health).toMatchObject({ status: 'ok' });
    },
    (SECONDS + 180) * 1000,
  );

  function report(lastedMs: number): void {
    say([
      `seed ${SEED}: ${load.accepted.length} triggers accepted and ${hours.instants.length} instants come in ` +
        `${seconds(lastedMs)}, ${handlers.calls.length} calls of handlers, ${load.cancels.length} cancellations, ` +
        `${load.refusals.length} answers to come again`,
      ...struck,
      ...deployment.fallen,
    ]);
  }

  /** What the programs said of the runs and requests that the first violations name. */
  function linesAbout(violations: readonly string[]): string[] {
    const names = violations.flatMap(
      (violation) => /run_\w{26}|[\da-f]{8}-[\da-f-]{27}/.exec(violation) ?? [],
    );
    return names.flatMap((name) => deployment.logged(name)).slice(0, SHOWN_LINES);
  }
});

/** Waits a while for what comes to be so by itself; what it is then, the caller looks at. */
async function becomes(condition: () => Promise<boolean>, limitMs: number): Promise<void> {
  const giveUpAt = Date.now() + limitMs;
  while (!(await condition()) && Date.now() < giveUpAt) await wait(POLL_MS);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

function say(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}
