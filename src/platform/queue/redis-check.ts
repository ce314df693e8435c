import { Redis } from 'ioredis';
import { EXIT_CONFIG, StartupError } from '../startup/index.js';
import { certificateProblem } from '../tls/index.js';
import { redisAddress, sentinelOptions } from './redis-servers.js';
import type { RedisServers } from './redis-servers.js';

const ANSWER_LIMIT_MS = 3_000;

/** Why Redis does not work for the program: it refuses it and will go on refusing it, or it does not answer. */
export interface RedisFailure {
  readonly kind: 'password' | 'permission' | 'certificate' | 'unreachable';
  /** Words that follow the address. */
  readonly reason: string;
}

/**
 * Contacts Redis once, at startup. An unreachable server may come back later, but a server that refuses the program
 * will go on refusing it.
 * @throws StartupError for a wrong password, an account without permissions, or an untrusted certificate
 */
export async function requireRedis(servers: RedisServers): Promise<void> {
  const asked = await askRedis(servers, (redis) => redis.ping());
  if ('answer' in asked || asked.failure.kind === 'unreachable') return;
  throw new StartupError(
    `Redis at ${redisAddress(servers)} ${asked.failure.reason}; correct redis.url (SERVICE_REDIS__URL)` +
      (servers.sentinels === null ? '' : ' or redis.sentinel_password (SERVICE_REDIS__SENTINEL_PASSWORD)'),
    { exitCode: EXIT_CONFIG },
  );
}

/** Asks Redis over a connection of its own, which waits neither for a connection nor for an answer for more than 3 s. */
export async function askRedis<Answer>(
  servers: RedisServers,
  question: (redis: Redis) => Promise<Answer>,
): Promise<{ readonly answer: Answer } | { readonly failure: RedisFailure }> {
  const redis = new Redis(servers.url, {
    ...sentinelOptions(servers),
    sentinelRetryStrategy: () => null,
    failoverDetector: false,
    lazyConnect: true,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    connectTimeout: ANSWER_LIMIT_MS,
    commandTimeout: ANSWER_LIMIT_MS,
    retryStrategy: () => null,
  });
  const failures: RedisFailure[] = [];
  redis.on('error', (error) => {
    failures.push(failureOf(error));
  });
  try {
    await redis.connect();
    return { answer: await question(redis) };
  } catch (error) {
    const thrown = failureOf(error);
    // ioredis sends more behind the password. What Redis answers to that may be heard as well, and says less.
    const refusal = [...failures, thrown].find(({ kind }) => kind !== 'unreachable');
    return { failure: refusal ?? failures.at(-1) ?? thrown };
  } finally {
    redis.disconnect();
  }
}

/** By the error prefixes of https://redis.io/docs/latest/commands/auth/ and ACL. */
function failureOf(error: unknown): RedisFailure {
  const certificate = certificateProblem(error);
  if (certificate !== null) return { kind: 'certificate', reason: `cannot be trusted: ${certificate}` };
  const said = error instanceof Error ? error.message : '';
  // Of a Sentinel that refused the program, ioredis says so at the end of a sentence of its own.
  const message = /^All sentinels are unreachable.* Last error: (.*)$/s.exec(said)?.[1] ?? said;
  if (message.startsWith('WRONGPASS'))
    return { kind: 'password', reason: 'refused the user name or the password' };
  if (message.startsWith('NOAUTH')) return { kind: 'password', reason: 'requires a password' };
  if (message.startsWith('NOPERM'))
    return { kind: 'permission', reason: `does not allow the account to run PING (${message})` };
  return { kind: 'unreachable', reason: `does not answer (${message})` };
}
