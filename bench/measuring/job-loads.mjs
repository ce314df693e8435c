import { setTimeout as wait } from 'node:timers/promises';
import { load } from './load.mjs';
import { startProcessorClock } from './processor-time.mjs';
import { percentile } from './statistics.mjs';

const CONNECTIONS = 16;
const END_LIMIT_MS = 60_000;
const POLL_MS = 20;

/** As many triggers as the connections carry, then the wait until the last job has ended. */
export async function flood(servers, handler, subject, amount) {
  const { program, triggerUrl, tokens, triggerOf = plainTrigger } = subject;
  const processorTime = startProcessorClock(servers, program);
  let number = 0;
  const loading = load({
    url: triggerUrl,
    connections: CONNECTIONS,
    amount,
    expected: 202,
    proof: '"id":',
    requestOf: (connection) => ({
      method: 'POST',
      headers: headersOf(tokens, connection),
      setupRequest: (request) => {
        number += 1;
        return { ...request, body: JSON.stringify(triggerOf(number)) };
      },
    }),
  });
  // Jobs end while triggers are still coming in.
  const ending = waitForEnd(handler, subject, amount).then(() => performance.now());
  const [{ perSecond, p50, p99, beganAt }, endedAt] = await Promise.all([loading, ending]);
  const allEndedMs = endedAt - beganAt;
  return {
    accepted_per_second: perSecond,
    answer_p50_ms: p50,
    answer_p99_ms: p99,
    ended_per_second: amount / (allEndedMs / 1_000),
    all_ended_ms: allEndedMs,
    ...processorTime(amount),
  };
}

/** Triggers at a pace that leaves the program idle between them. */
export async function trickle(servers, handler, subject, amount, perSecond) {
  const { program, triggerUrl, tokens } = subject;
  const processorTime = startProcessorClock(servers, program);
  const sentAt = new Map();
  const answers = [];
  const beganAt = performance.now();
  for (let number = 1; number <= amount; number += 1) {
    await wait(Math.max(0, beganAt + (number * 1_000) / perSecond - performance.now()));
    sentAt.set(number, performance.now());
    answers.push(sendTrigger(triggerUrl, headersOf(tokens, number), number));
  }
  await Promise.all(answers);
  await waitForEnd(handler, subject, amount);
  const latencies = [...sentAt].map(([number, at]) => handler.arrivals.get(number) - at);
  return {
    start_p50_ms: percentile(latencies, 50),
    start_p99_ms: percentile(latencies, 99),
    ...processorTime(amount),
  };
}

async function sendTrigger(url, headers, number) {
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify(plainTrigger(number)),
  });
  await response.text();
  if (response.status !== 202) throw new Error(`${url}: ${response.status}`);
}

export function plainTrigger(number) {
  return { payload: { number } };
}

export function headersOf(tokens, place) {
  return { authorization: `Bearer ${tokens[place % tokens.length]}`, 'content-type': 'application/json' };
}

/** Resolves when the handler was called for all jobs, and the program has stored that all have ended. */
export async function waitForEnd(handler, { name, unfinished }, amount) {
  const giveUpAt = performance.now() + END_LIMIT_MS;
  await handler.received(amount, END_LIMIT_MS);
  while ((await unfinished()) > 0) {
    if (performance.now() > giveUpAt) throw new Error(`${name}: jobs that were called do not end`);
    await wait(POLL_MS);
  }
  if (handler.repeated > 0) throw new Error(`${name} called the handler again for ${handler.repeated} jobs`);
}
