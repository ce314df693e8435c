import { SCENARIOS } from '../scenarios/index.mjs';
import { compare } from './comparison.mjs';
import { compareWithGoals } from './goals.mjs';
import { commitOfProgram, describeMachine, versionsOfPeers } from './machine.mjs';
import { serverPids } from './processor-time.mjs';

/**
 * @param {object} options
 * @param {string[]} options.scenarios by name; when empty, all that run by default
 * @param {number} options.load of the machine before the run
 * @param {boolean} options.isQuick so little work that the figures mean nothing, to check that everything works
 * @param {number} options.organizations over which the jobs of Service's second subject are spread
 */
export async function measureAll(servers, { scenarios, load, isQuick, rounds, organizations, note }) {
  const beganAt = new Date();
  const machine = { ...(await describeMachine(servers)), load_before: Number(load.toFixed(2)) };
  const fixture = { ...servers, pids: await serverPids(servers) };
  const tables = [];
  for (const { run, whole, quick } of chosen(scenarios))
    tables.push(...(await run(fixture, { rounds, organizations, ...(isQuick ? quick : whole) })));
  const compared = tables.map(compare);
  return {
    date: beganAt.toISOString(),
    ...commitOfProgram(),
    note,
    rounds,
    seconds: Math.round((Date.now() - beganAt.getTime()) / 1_000),
    machine,
    versions: versionsOfPeers(),
    goals: compareWithGoals(compared),
    tables: compared,
  };
}

function chosen(names) {
  const unknown = names.find((name) => !Object.hasOwn(SCENARIOS, name));
  if (unknown !== undefined)
    throw new Error(`there is no scenario ${unknown}; there are ${Object.keys(SCENARIOS).join(', ')}`);
  if (names.length > 0) return names.map((name) => SCENARIOS[name]);
  return Object.values(SCENARIOS).filter(({ isDefault }) => isDefault);
}
