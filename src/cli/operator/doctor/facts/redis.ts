import { askRedis, redisAddress } from '../../../../platform/queue/index.js';
import type { RedisFailure, RedisServers } from '../../../../platform/queue/index.js';

/** What Redis says of itself, or why it says nothing. */
export type RedisState =
  | { readonly server: string; readonly info: string | null; readonly skewMs: number | null }
  | { readonly server: string; readonly failure: RedisFailure };

export async function redisState(servers: RedisServers): Promise<RedisState> {
  const server = redisAddress(servers);
  const asked = await askRedis(servers, async (redis) => {
    await redis.ping();
    const sentAt = Date.now();
    // An account may be allowed neither, and still do for the program.
    const time = await redis.time().catch(() => null);
    const midway = (sentAt + Date.now()) / 2;
    const info = await redis.info().catch((error: unknown) => {
      if (error instanceof Error && error.message.startsWith('NOPERM')) return null;
      throw error;
    });
    const [secs, micros] = (time ?? []).map(Number);
    return { info, skewMs: secs === undefined ? null : secs * 1000 + (micros ?? 0) / 1000 - midway };
  });
  return 'failure' in asked ? { server, failure: asked.failure } : { server, ...asked.answer };
}
