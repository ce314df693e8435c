/** What the bench tells each peer, by variables. */
export const settings = {
  postgresUrl: process.env.BENCH_POSTGRES_URL,
  redisUrl: process.env.BENCH_REDIS_URL,
  handlerUrl: process.env.BENCH_HANDLER_URL,
  keysUrl: process.env.BENCH_KEYS_URL,
  issuer: process.env.BENCH_ISSUER,
  audience: process.env.BENCH_AUDIENCE,
  /** Calls to the handler at one time. */
  concurrency: Number(process.env.BENCH_CONCURRENCY),
  poolSize: Number(process.env.BENCH_POOL_SIZE),
  /** For the comparison of requests: the users whose tokens are sent, and the answer to all of them. */
  users: JSON.parse(process.env.BENCH_USERS ?? '[]'),
  answer: JSON.parse(process.env.BENCH_ANSWER ?? 'null'),
  argon2: {
    memoryCost: Number(process.env.BENCH_ARGON2_MEMORY_KIB),
    timeCost: Number(process.env.BENCH_ARGON2_TIME_COST),
    parallelism: Number(process.env.BENCH_ARGON2_PARALLELISM),
  },
};

/** Tells the bench where this program listens, and ends it at SIGTERM. */
export function announce(url, stop) {
  process.once('SIGTERM', () => {
    stop().then(
      () => process.exit(0),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  console.log(`listening ${url}`);
}
