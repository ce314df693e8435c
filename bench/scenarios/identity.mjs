import { say } from '../../scripts/prepare/report.mjs';
import { load } from '../measuring/load.mjs';
import { stopPrograms } from '../measuring/program.mjs';
import { inRounds } from '../measuring/rounds.mjs';
import { startBetterAuth, startIdentityService } from '../subjects/identity-subjects.mjs';

const SIGN_IN_CONNECTIONS = 4;
const CONNECTIONS = 16;

const FIGURES = {
  per_second: { title: 'per second', better: 'more' },
  p50_ms: { title: 'answer, p50, ms', better: 'less' },
  p99_ms: { title: 'answer, p99, ms', better: 'less' },
  processor_ms: { title: 'processor time of the program for each, ms', better: 'less' },
};

/** What is asked of both; a subject says how, by the same key. */
const QUESTIONS = [
  { key: 'signIn', id: 'sign-in', title: 'Sign-in by password', connections: SIGN_IN_CONNECTIONS },
  { key: 'whoAmI', id: 'who-am-i', title: 'Who am I, read from the database', connections: CONNECTIONS },
  {
    key: 'warm',
    id: 'warm',
    title: 'An authenticated request that reads no database',
    connections: CONNECTIONS,
  },
  { key: 'refresh', id: 'refresh', title: 'Refresh of a session', connections: CONNECTIONS },
];

/**
 * Sign-in, use and refresh of sessions.
 * @param {{ rounds: number, amounts: Record<string, number> }} measure requests of a round, by key of the question
 */
export async function identityScenario(servers, { rounds, amounts }) {
  say('Identity: starting Service and its peer …');
  try {
    const users = Array.from({ length: CONNECTIONS }, (_, number) => `user${number}@example.com`);
    const subjects = [await startIdentityService(servers, users), await startBetterAuth(servers, users)];
    const tables = [];
    for (const { key, id, title, connections } of QUESTIONS) {
      say(`Identity: ${title} …`);
      const measure = (amount) => (subject) => askMany(subject, key, connections, amount);
      await inRounds(subjects, 1, measure(Math.max(connections, Math.ceil(amounts[key] / 4))));
      const values = await inRounds(subjects, rounds, measure(amounts[key]));
      tables.push({
        id: `identity-${id}`,
        title: `${title}: ${amounts[key]} over ${connections} connections`,
        figures: FIGURES,
        values,
      });
    }
    return tables;
  } finally {
    await stopPrograms();
  }
}

async function askMany({ program, questions }, key, connections, amount) {
  const before = program.processorMs;
  const { perSecond, p50, p99 } = await load({
    url: program.url,
    connections,
    amount,
    expected: 200,
    ...questions[key],
  });
  return {
    per_second: perSecond,
    p50_ms: p50,
    p99_ms: p99,
    ...(before === null ? {} : { processor_ms: (program.processorMs - before) / amount }),
  };
}
