import { identityScenario } from '../scenarios/identity.mjs';
import { jobsScenario } from '../scenarios/jobs.mjs';
import { compare } from './comparison.mjs';
import { commitOfProgram, describeMachine, versionsOfPeers } from './machine.mjs';

const SCENARIOS = {
  jobs: {
    run: jobsScenario,
    whole: { jobs: 1_000, warmUps: 500, slowJobs: 80, slowPerSecond: 20 },
    quick: { jobs: 200, warmUps: 50, slowJobs: 20, slowPerSecond: 20 },
  },
  identity: {
    run: identityScenario,
    whole: { amounts: { signIn: 40, whoAmI: 2_000, warm: 4_000, refresh: 800 } },
    quick: { amounts: { signIn: 8, whoAmI: 200, warm: 200, refresh: 160 } },
  },
};

/**
 * @param {{ only?: string, isQuick: boolean, rounds: number, note?: string }} options `only`: one scenario;
 *   `isQuick`: so little that the figures mean nothing, to see that everything works
 */
export async function measureAll(servers, { only, isQuick, rounds, note }) {
  if (only !== undefined && !Object.hasOwn(SCENARIOS, only))
    throw new Error(`there is no scenario ${only}; there are ${Object.keys(SCENARIOS).join(', ')}`);
  const beganAt = new Date();
  const machine = await describeMachine(servers);
  const tables = [];
  for (const [name, { run, whole, quick }] of Object.entries(SCENARIOS)) {
    if (only !== undefined && only !== name) continue;
    tables.push(...(await run(servers, { rounds, ...(isQuick ? quick : whole) })));
  }
  return {
    date: beganAt.toISOString(),
    ...commitOfProgram(),
    note,
    rounds,
    seconds: Math.round((Date.now() - beganAt.getTime()) / 1_000),
    machine,
    versions: versionsOfPeers(),
    tables: tables.map(compare),
  };
}
