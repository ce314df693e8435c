import { delimiter } from 'node:path';
import { ensureBuild } from './build.mjs';
import { ensureClientBuild } from './client-build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { PrepareError, repoRoot, say } from './report.mjs';
import { withPrepareLock } from './prepare-lock.mjs';
import { ensureRedis, hasOwnRedis } from './redis.mjs';
import { ensureTestPackages } from './test-packages.mjs';
import { ensureTestPrograms } from './test-programs.mjs';

const OLDEST_NODE = [20, 19];

/**
 * Makes the clone ready to run: dependencies, build, and a Redis to start. What is ready already costs a few
 * milliseconds. Ends the process with 1 when something cannot be had.
 * @param {{ redis?: 'unless-configured' | 'always', test?: boolean, bench?: boolean }} [options]
 *   `test`, `bench`: also what only tests, or benchmarks, need
 */
export async function prepare({ redis = 'unless-configured', test = false, bench = false } = {}) {
  try {
    checkNode();
    await withPrepareLock(async () => {
      await ensureDependencies();
      await ensureBuild();
      if (test) {
        await ensureClientBuild();
        await ensureTestPackages();
        putOnPath(await ensureTestPrograms());
      }
      if (bench) await ensureDependencies(new URL('bench/', repoRoot));
      if (redis === 'always' || !hasOwnRedis()) putOnPath(await ensureRedis());
    });
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error;
    say(error.message);
    process.exit(error.exitCode);
  }
}

function putOnPath(folder) {
  if (folder !== null) process.env.PATH = folder + delimiter + process.env.PATH;
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new PrepareError(`Node.js ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.version}.`);
}
