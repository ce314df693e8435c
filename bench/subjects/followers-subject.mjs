import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { ownerWithJob, triggerUrlOf } from './job-subjects.mjs';
import { ask, startService } from './service.mjs';

/** Organizations that the followers belong to: one user may not follow with all of them. */
const ORGANIZATIONS = 4;
const TRIGGERS_PER_SECOND = 10;
/** What an open console reads again while runs change: each second, and of figures over time each fifth. */
const CONSOLE_READS = ['/jobs/v1/runs?status=failed&limit=6', '/jobs/v1/jobs?limit=100', '/jobs/v1/queue'];
const CONSOLE_STATS = '/jobs/v1/stats?interval=1h';
const CONSOLE_EVERY_MS = 1_000;
/** What a new follower still has to do, such as reading its history, is over by then. */
const SETTLE_MS = 1_000;

/** Service with organizations that run jobs at a steady pace, and followers of their logs that come and go. */
export async function startFollowersService(servers, handler) {
  const { program } = await startService(servers, 'service_followers', {
    SERVICE_FUNCTIONS__URL: `${handler.origin}/{handler}`,
    SERVICE_LIMITS__LOG_FOLLOWERS: '500',
  });
  const tokens = [];
  for (let number = 0; number < ORGANIZATIONS; number += 1)
    tokens.push(await ownerWithJob(program.url, `followed-${number}`));
  const headersOf = (number) => ({ authorization: `Bearer ${tokens[number % ORGANIZATIONS]}` });
  const stopRunning = keepRunning(triggerUrlOf(program), tokens);
  const agent = new Agent({ maxSockets: Infinity });
  let followers = [];
  let stopLooking = async () => undefined;

  const follow = (number) =>
    new Promise((resolve, reject) => {
      const url = `${program.url}/jobs/v1/logs?follow=true`;
      const request = get(url, { agent, headers: headersOf(number) }, (response) => {
        response.resume();
        response.on('error', () => undefined);
        if (response.statusCode === 200) resolve(request);
        else reject(new Error(`${url}: ${response.statusCode}`));
      });
      request.on('error', reject);
    });

  return {
    program,
    url: `${program.url}/auth/v1/permissions`,
    headersOf,
    stopRunning,
    /** Brings the open consoles, each of which follows a log too, to this number. */
    async lookBy(amount) {
      await stopLooking();
      stopLooking = keepLooking(
        program.url,
        Array.from({ length: amount }, (_, number) => headersOf(number)),
      );
    },
    /** Brings the followers to this number. */
    async followBy(amount) {
      for (const request of followers) request.destroy();
      // Service needs a moment to give their places to others.
      await wait(SETTLE_MS);
      followers = await Promise.all(Array.from({ length: amount }, (_, number) => follow(number)));
      await wait(SETTLE_MS);
    },
  };
}

/** Reads what open consoles read, theirs spread over the second. Returns a function that ends it. */
function keepLooking(url, consoles) {
  let isLooking = true;
  const looking = consoles.map(async (headers, place) => {
    await wait((place / consoles.length) * CONSOLE_EVERY_MS);
    for (let round = place; isLooking; round += 1) {
      const paths = round % 5 === 0 ? [...CONSOLE_READS, CONSOLE_STATS] : CONSOLE_READS;
      await Promise.all(paths.map(async (path) => (await fetch(url + path, { headers })).arrayBuffer()));
      await wait(CONSOLE_EVERY_MS);
    }
  });
  return async () => {
    isLooking = false;
    await Promise.all(looking);
  };
}

/** Triggers jobs of all organizations in turn, whose logs the followers read. Returns a function that ends it. */
function keepRunning(url, tokens) {
  let isRunning = true;
  const running = (async () => {
    for (let number = 0; isRunning; number += 1) {
      await ask(url, { token: tokens[number % tokens.length], body: { payload: { number } } });
      await wait(1_000 / TRIGGERS_PER_SECOND);
    }
  })();
  running.catch(() => undefined);
  return async () => {
    isRunning = false;
    await running;
  };
}
