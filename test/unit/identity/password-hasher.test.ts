import { Counter, Registry } from 'prom-client';
import { PasswordHasher } from '../../../src/identity/passwords/password-hasher.js';
import { loadConfig } from '../../../src/platform/config/index.js';

const ORIGIN = { ip: '203.0.113.7', userAgent: null };

function hasherWith(concurrency: number, queueLimit: number): PasswordHasher {
  const env = {
    SERVICE_IDENTITY__ARGON2_MEMORY_KIB: '8192',
    SERVICE_IDENTITY__ARGON2_TIME_COST: '1',
    SERVICE_IDENTITY__HASH_CONCURRENCY: String(concurrency),
    SERVICE_IDENTITY__HASH_QUEUE_LIMIT: String(queueLimit),
  };
  const hashes = new Counter({ name: 'hashes', help: 'Hashes.', registers: [new Registry()] });
  return new PasswordHasher(loadConfig({ env, cwd: '/' }), hashes);
}

describe('the bound on password hashing', () => {
  it.each([
    [1, 0, 1],
    [2, 0, 2],
    [1, 3, 4],
    [2, 3, 5],
  ])('of %d at one time and %d waiting takes %d and refuses the next', async (concurrency, queue, taken) => {
    const hasher = hasherWith(concurrency, queue);
    const outcomes = await Promise.allSettled(
      Array.from({ length: taken + 1 }, () => hasher.hash('correct horse battery', ORIGIN)),
    );
    expect(outcomes.map((outcome) => outcome.status)).toEqual([
      ...Array.from({ length: taken }, () => 'fulfilled'),
      'rejected',
    ]);
    expect(outcomes.at(-1)).toMatchObject({ reason: { code: 'overloaded' } });
    await expect(hasher.hash('correct horse battery', ORIGIN)).resolves.toMatch(/^\$argon2id\$/);
  });

  const salt = 'A'.repeat(22);
  const key = 'A'.repeat(43);

  it.each([
    ['twice the memory', `$argon2id$v=19$m=16384,t=1,p=1$${salt}$${key}`, 'rejected'],
    ['two threads', `$argon2id$v=19$m=8192,t=1,p=2$${salt}$${key}`, 'rejected'],
    ['twice the memory by scrypt', `$scrypt$ln=14,r=8,p=1$${salt}$${key}`, 'rejected'],
    ['as much memory', `$argon2i$v=19$m=8192,t=1,p=1$${salt}$${key}`, 'fulfilled'],
    ['hardly any memory', `$pbkdf2-sha256$i=1000$${salt}$${key}`, 'fulfilled'],
  ])('counts an imported hash that takes %s accordingly', async (_what, hash, beside) => {
    const hasher = hasherWith(2, 0);
    const beforeComputing = (): Promise<void> => Promise.resolve();
    const [verified, hashed] = await Promise.allSettled([
      hasher.verifyPassword(hash, 'correct horse battery', ORIGIN, beforeComputing),
      hasher.hash('correct horse battery', ORIGIN),
    ]);
    expect(verified).toEqual({ status: 'fulfilled', value: false });
    expect(hashed.status).toBe(beside);
  });

  it('lets nobody in by a text that is no hash', async () => {
    const verified = hasherWith(1, 0).verifyPassword('', '', ORIGIN, () => Promise.resolve());
    await expect(verified).resolves.toBe(false);
  });
});
