import { say } from '../../scripts/prepare/report.mjs';
import { load } from '../measuring/load.mjs';
import { requestsWhile } from '../measuring/paced-requests.mjs';
import { PROCESSOR_FIGURES, startProcessorClock } from '../measuring/processor-time.mjs';
import { stopPrograms } from '../measuring/program.mjs';
import { inRounds } from '../measuring/rounds.mjs';
import { startBetterAuth, startIdentityService, startRawLimits } from '../subjects/identity-subjects.mjs';

const SIGN_IN_CONNECTIONS = 4;
const CONNECTIONS = 16;
/** Of one other user, while sign-ins go on. */
const OTHER_REQUESTS_PER_SECOND = 100;

const FIGURES = {
  per_second: { title: 'per second', better: 'more' },
  p50_ms: { title: 'answer, p50, ms', better: 'less' },
  p99_ms: { title: 'answer, p99, ms', better: 'less' },
  ...PROCESSOR_FIGURES,
};

/** What is asked of all subjects that have an answer to it; a subject says how, by the same key. */
const QUESTIONS = [
  { key: 'signIn', id: 'sign-in', title: 'Sign-in by password', connections: SIGN_IN_CONNECTIONS },
  {
    key: 'others',
    id: 'others',
    title: 'A warm request while others sign in',
    connections: SIGN_IN_CONNECTIONS,
  },
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
 * Sign-in, use and refresh of sessions, and the computations that limit them.
 * @param {{ rounds: number, amounts: Record<string, number> }} measure requests of a round, by key of the question
 */
export async function identityScenario(servers, { rounds, amounts }) {
  say('Identity: starting Service and its peer …');
  try {
    const users = Array.from({ length: CONNECTIONS }, (_, number) => `user${number}@example.com`);
    const all = [
      await startIdentityService(servers, users),
      await startBetterAuth(servers, users),
      ...(await startRawLimits(servers)),
    ];
    const tables = [];
    for (const { key, id, title, connections } of QUESTIONS) {
      say(`Identity: ${title} …`);
      const subjects = all.filter(({ questions }) => questions[key] !== undefined);
      const measure = (amount) => (subject) => ask(servers, subject, key, connections, amount);
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

async function ask(servers, subject, key, connections, amount) {
  const { program, questions } = subject;
  if (key === 'others') return await askOthers(subject, connections, amount);
  const processorTime = startProcessorClock(servers, program);
  if (questions[key].compute !== undefined) {
    const computations = questions[key].amount ?? amount;
    return { per_second: await questions[key].compute(computations), ...processorTime(computations) };
  }
  const { perSecond, p50, p99 } = await askMany(subject, key, connections, amount);
  return { per_second: perSecond, p50_ms: p50, p99_ms: p99, ...processorTime(amount) };
}

/** The warm request of a user who has nothing to do with the sign-ins that the other connections send meanwhile. */
async function askOthers(subject, connections, amount) {
  const { path, headers } = subject.questions.warm.requestOf(CONNECTIONS - 1);
  const url = `${subject.program.url}${path}`;
  const signIns = askMany(subject, 'signIn', connections, amount);
  const latencies = await requestsWhile(signIns, { url, headers, perSecond: OTHER_REQUESTS_PER_SECOND });
  return { p50_ms: latencies.p50, p99_ms: latencies.p99 };
}

async function askMany({ program, questions }, key, connections, amount) {
  return await load({ url: program.url, connections, amount, expected: 200, ...questions[key] });
}
