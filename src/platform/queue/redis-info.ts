/** A field of what Redis answers to INFO (https://redis.io/docs/latest/commands/info/); null where it is not there. */
export function redisInfoField(info: string, name: string): string | null {
  return new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1] ?? null;
}

/** The `maxmemory-policy` that may drop wake-ups and the locks of running work; null where Redis never evicts keys. */
export function evictingPolicyOf(info: string): string | null {
  const policy = redisInfoField(info, 'maxmemory_policy');
  return policy === 'noeviction' ? null : policy;
}
