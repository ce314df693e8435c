import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { Backlog } from '../faults/backlog.js';
import { CAP, Deployment } from '../faults/deployment.js';
import type { Role } from '../faults/deployment.js';
import { violationsOf } from '../faults/history-checker.js';
import type { History } from '../faults/history.js';
import { JOBS, Load, MANNERS } from '../faults/load.js';
import { RecordingHandlers } from '../faults/recording-handlers.js';
import { RunRecords } from '../faults/run-records.js';
import { scrape } from '../faults/scraping.js';
import { SeededRandom } from '../faults/seeded-random.js';
import { signUpOwner } from '../../support/client.js';
import { registerJobs } from '../../support/runs.js';
import { AccountLoad } from './account-load.js';
import { accountViolationsOf } from './account-rules.js';
import { DRILLS } from './drills.js';
import { Operations } from './operations.js';
import { tableOf, writeTable } from './report.js';

/** `npm run drill -- NAME`; without it, a small one. */
const { DRILL: NAME = 'signing-keys', DRILL_SECONDS, DRILL_WRITE } = process.env;
const LASTS_MS = Number(DRILL_SECONDS ?? 9) * 1000;
const ROLES: readonly Role[] = ['api', 'worker', 'scheduler'];
const ENDED_WITHIN_MS = 60_000;
const SETTLED_WITHIN_MS = 15_000;
const POLL_MS = 200;

describe(`the drill ${NAME}`, () => {
  const drill = DRILLS[NAME];
  if (drill === undefined)
    throw new Error(`there is no drill ${NAME}, but ${Object.keys(DRILLS).join(', ')}`);
  const startedAt = Date.now();
  let handlers: RecordingHandlers;
  let deployment: Deployment;
  let records: RunRecords;
  let backlog: Backlog;

  beforeAll(async () => {
    handlers = await RecordingHandlers.start(MANNERS);
    deployment = await Deployment.start(handlers, ROLES, drill.variables);
    records = await RunRecords.begin(deployment.postgres);
    backlog = Backlog.watch(records);
  });

  afterAll(async () => {
    await backlog.end();
    await deployment.stop();
    await handlers.stop();
  });

  it(
    'loses no run, no session and no key, and nothing goes on that was ended',
    async () => {
      const owners = [await signUpOwner(apiUrl()), await signUpOwner(apiUrl())];
      for (const { client } of owners) await registerJobs(client, JOBS);
      // Tokens of users expire or are replaced; keys of the tenants do not.
      const load = new Load(
        deployment,
        owners.map(({ client }) => client),
        backlog,
        new SeededRandom(1),
      );
      const operations = new Operations(deployment);
      const accounts = owners.map((owner) => new AccountLoad(operations, owner));
      const loadedAt = Date.now();
      load.begin();
      for (const account of accounts) account.begin();
      try {
        await drill.perform({ deployment, lastsMs: LASTS_MS, say });
      } finally {
        await Promise.all([load.end(), ...accounts.map((account) => account.end())]);
      }
      const lastedMs = Date.now() - loadedAt;
      say('the load is over; runs end');
      await becomes(async () => (await records.unfinished()) === 0, ENDED_WITHIN_MS);
      let history = await historyOf(load);
      await becomes(async () => {
        history = await historyOf(load);
        return violationsOf(history).length === 0;
      }, SETTLED_WITHIN_MS);
      const { record } = operations;
      const violations = [...accountViolationsOf(record), ...violationsOf(history)];
      const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
      const table = tableOf({
        name: NAME,
        does: drill.does,
        operations: record,
        history,
        violations,
        lastedMs,
        commit,
      });
      process.stdout.write(`\n${table}\n`);
      expect(violations).toEqual([]);
      expect(deployment.fallen).toEqual([]);
      const signingKeys = new Set(accounts.flatMap((account) => [...account.signingKeys]));
      expect(signingKeys.size).toBeGreaterThanOrEqual(drill.leastSigningKeys ?? 1);
      if (DRILL_WRITE !== undefined) writeTable(NAME, table);
    },
    LASTS_MS * 4 + 240_000,
  );

  function apiUrl(): string {
    return deployment.api?.process.url ?? '';
  }

  function say(step: string): void {
    process.stdout.write(`${((Date.now() - startedAt) / 1000).toFixed(1)} s: ${step}\n`);
  }

  async function historyOf({ accepted, refusals, cancels }: Load): Promise<History> {
    const processes = await Promise.all(deployment.instances.map(scrape));
    const rows = await records.read();
    return { cap: CAP, accepted, refusals, cancels, calls: handlers.calls, instants: [], processes, ...rows };
  }
});

async function becomes(condition: () => Promise<boolean>, limitMs: number): Promise<void> {
  const giveUpAt = Date.now() + limitMs;
  while (!(await condition()) && Date.now() < giveUpAt) await wait(POLL_MS);
}
