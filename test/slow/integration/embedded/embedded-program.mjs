// A program that does nothing but hold the embedded servers of the folder it is given, until it is killed.
import { startEmbedded } from '../../../../dist/src/platform/embedded/index.js';

const { postgresUrl, redisUrl } = await startEmbedded({
  dataDir: process.argv[2],
  postgres: true,
  redis: true,
  log: ({ message }) => console.error(message),
});
console.log(JSON.stringify({ postgresUrl, redisUrl }));
process.stdin.resume();
