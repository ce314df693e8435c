import { fileURLToPath } from 'node:url';
import { createDatabase } from '../measuring/database.mjs';
import { Program } from '../measuring/program.mjs';

const ADDRESS = /^listening (\S+)$/m;

/** A peer's program of bench/peers, on a database of its own. */
export async function startPeer({ postgresUrl, redisUrl }, file, name, variables) {
  return await Program.start(
    fileURLToPath(new URL(`../peers/${file}`, import.meta.url)),
    {
      BENCH_POSTGRES_URL: await createDatabase(postgresUrl, name),
      BENCH_REDIS_URL: redisUrl,
      ...variables,
    },
    ADDRESS,
  );
}
