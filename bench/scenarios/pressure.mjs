import { setTimeout as wait } from 'node:timers/promises';
import { say } from '../../scripts/prepare/report.mjs';
import { withConnection } from '../measuring/database.mjs';
import { Handler } from '../measuring/handler.mjs';
import { HeldBack } from '../measuring/held-back.mjs';
import { createIssuer } from '../measuring/issuer.mjs';
import { stopPrograms } from '../measuring/program.mjs';
import { SteadyLoad } from '../measuring/steady-load.mjs';
import { serviceSubjects, SIZES } from '../subjects/job-subjects.mjs';

/** The owner signs in once. */
const VARIABLES = { SERVICE_IDENTITY__ACCESS_TTL_SECS: '86400' };
const END_LIMIT_MS = 120_000;
const FIGURES = {
  called_per_second: { title: 'runs called per second', better: 'more' },
  lost: { title: 'accepted runs that were never called', better: 'less' },
};

/**
 * The same load for a while without and then with what troubles a database: a transaction that stays open and so holds back
 * the xmin horizon, readers of whole tables, connections that are ended, and at last a restart of PostgreSQL. Then without again.
 * @param {object} measure
 * @param {number} measure.quietSeconds before, and afterwards
 * @param {number} measure.pressureSeconds
 */
export async function pressureScenario(servers, { quietSeconds, pressureSeconds }) {
  say('Pressure: starting Service …');
  const handler = await Handler.start((await createIssuer()).keys);
  try {
    const fixture = {
      handler,
      organizations: 1,
      ...SIZES,
      variables: VARIABLES,
      database: 'service_pressure',
    };
    const [service] = await serviceSubjects(servers, fixture);
    const load = new SteadyLoad(service, handler);
    const calledPerSecond = async (work) => {
      const [before, beganAt] = [handler.arrivals.size, performance.now()];
      await work();
      return (handler.arrivals.size - before) / ((performance.now() - beganAt) / 1_000);
    };
    const quietly = () => calledPerSecond(() => wait(quietSeconds * 1_000));

    await quietly();
    say(`Pressure: ${quietSeconds} s without …`);
    const quiet = await quietly();
    say(`Pressure: ${pressureSeconds} s with …`);
    const pressed = await calledPerSecond(() => press(servers, service, pressureSeconds));
    say(`Pressure: ${quietSeconds} s without again …`);
    const afterwards = await quietly();

    await load.stop();
    await handler.received(load.accepted, END_LIMIT_MS).catch((error) => say(error.message));
    const lost = load.accepted - handler.arrivals.size;
    const values = { quiet, 'under pressure': pressed, afterwards };
    return [
      {
        id: 'pressure',
        title: `Pressure: ${pressureSeconds} s`,
        figures: FIGURES,
        values: Object.fromEntries(
          Object.entries(values).map(([name, rate]) => [name, { called_per_second: [rate], lost: [lost] }]),
        ),
      },
    ];
  } finally {
    await stopPrograms();
    await handler.stop();
  }
}

/** Ends a third of the program's connections ten times, and restarts PostgreSQL at the end. */
async function press({ pids }, { databaseUrl }, seconds) {
  const heldBack = await HeldBack.start(databaseUrl);
  try {
    for (let time = 0; time < 10; time += 1) {
      await wait((seconds * 1_000) / 10);
      await withConnection(databaseUrl, (client) => heldBack.endOthers(client));
    }
  } finally {
    await heldBack.stop();
  }
  process.kill(pids.postgresql, 'SIGINT');
  await answersAgain(databaseUrl);
}

async function answersAgain(databaseUrl) {
  const giveUpAt = performance.now() + END_LIMIT_MS;
  for (;;) {
    await wait(50);
    try {
      return await withConnection(databaseUrl, (client) => client.query('SELECT FROM runs LIMIT 1'));
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
    }
  }
}
