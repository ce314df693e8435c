import type { RedisOptions } from 'ioredis';

/** Where Redis is: at the host of the URL, or where the Sentinels say that the primary of that name is. */
export interface RedisServers {
  readonly url: string;
  /** `host:port` each; null for none. */
  readonly sentinels: readonly string[] | null;
  readonly sentinelPassword: string | null;
}

const SENTINEL_PORT = 26_379;

/** What ioredis needs beside the URL to follow the primary by Sentinel (https://redis.io/docs/latest/develop/reference/sentinel-clients/). */
export function sentinelOptions({ url, sentinels, sentinelPassword }: RedisServers): RedisOptions {
  if (sentinels === null) return {};
  const hasTls = url.startsWith('rediss:');
  return {
    name: decodeURIComponent(new URL(url).hostname),
    sentinels: sentinels.map(serverOf),
    ...(sentinelPassword === null ? {} : { sentinelPassword }),
    ...(hasTls ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
    // Sentinel announces a failover before the connections to the former primary fail, and where they hang.
    failoverDetector: true,
  };
}

function serverOf(sentinel: string): { host: string; port: number } {
  const { hostname, port } = new URL(`redis://${sentinel}`);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? SENTINEL_PORT : Number(port) };
}

/** The host and port of Redis, or the name that Sentinels know it by, without its password. */
export function redisAddress({ url, sentinels }: RedisServers): string {
  const { hostname, port } = new URL(url);
  if (sentinels !== null) return `"${hostname}" of the Sentinels ${sentinels.join(', ')}`;
  return `${hostname}:${port === '' ? '6379' : port}`;
}
