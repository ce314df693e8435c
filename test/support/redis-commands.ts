import type { Redis } from 'ioredis';

/**
 * How often clients have called each Redis command since the server started, except for commands that only inspect it.
 */
async function calls(redis: Redis): Promise<Map<string, number>> {
  const stats = await redis.info('commandstats');
  const found = stats.matchAll(/^cmdstat_(\S+?):calls=(\d+)/gm);
  return new Map([...found].map(([, command = '', count]): [string, number] => [command, Number(count)]));
}

/** The Redis commands that ran during `work`, by name, including those that scripts called. */
export async function redisCommandsOf(
  redis: Redis,
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const before = await calls(redis);
  await work();
  const after = await calls(redis);
  return Object.fromEntries(
    [...after]
      .map(([command, count]): [string, number] => [command, count - (before.get(command) ?? 0)])
      .filter(([command, count]) => count > 0 && command !== 'info'),
  );
}
