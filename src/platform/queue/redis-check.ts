import { Redis } from 'ioredis';
import { EXIT_CONFIG, StartupError } from '../startup/index.js';
import { certificateProblem } from '../tls/index.js';

const ANSWER_LIMIT_MS = 3_000;

/**
 * Contacts Redis once, at startup. An unreachable server may come back later, but a server that refuses the program
 * will go on refusing it.
 * @throws StartupError for a wrong password, an account without permissions, or an untrusted certificate
 */
export async function requireRedis(url: string): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    connectTimeout: ANSWER_LIMIT_MS,
    commandTimeout: ANSWER_LIMIT_MS,
    retryStrategy: () => null,
  });
  let failure: unknown = null;
  redis.on('error', (error) => {
    failure = error;
  });
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    failure ??= error;
  } finally {
    redis.disconnect();
  }
  const reason = refusalOf(failure);
  if (reason === null) return;
  const { hostname, port } = new URL(url);
  throw new StartupError(
    `Redis at ${hostname}:${port === '' ? '6379' : port} ${reason}; correct redis.url (SERVICE_REDIS__URL)`,
    { exitCode: EXIT_CONFIG },
  );
}

/** By the error prefixes of https://redis.io/docs/latest/commands/auth/ and ACL. */
function refusalOf(error: unknown): string | null {
  const certificate = certificateProblem(error);
  if (certificate !== null) return `cannot be trusted: ${certificate}`;
  const message = error instanceof Error ? error.message : '';
  if (message.startsWith('WRONGPASS')) return 'refused the user name or the password';
  if (message.startsWith('NOAUTH')) return 'requires a password';
  if (message.startsWith('NOPERM')) return `does not allow the account to run PING (${message})`;
  return null;
}
