import { readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { ensureBuild } from './build.mjs';
import { ensureClientBuild } from './client-build.mjs';
import { ensureConsoleBuild } from './console-build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { isInRange } from './node-version.mjs';
import { PrepareError, repoRoot, say } from './report.mjs';
import { withPrepareLock } from './prepare-lock.mjs';
import { ensureRedis, hasOwnRedis } from './redis.mjs';
import { ensureTestPackages } from './test-packages.mjs';
import { ensureTestPrograms } from './test-programs.mjs';

/**
 * Makes the clone ready to run: dependencies, build, and a Redis to start. What is ready already costs a few
 * milliseconds. Ends the process with 1 when something cannot be had.
 * @param {{ redis?: 'unless-configured' | 'always', test?: boolean, testPrograms?: boolean, bench?: boolean }} [options]
 *   `test`, `bench`: also what only tests, or benchmarks, need; `testPrograms`: the servers and browsers of others too
 */
export async function prepare({
  redis = 'unless-configured',
  test = false,
  testPrograms = false,
  bench = false,
} = {}) {
  try {
    checkNode();
    await withPrepareLock(async () => {
      await ensureDependencies();
      await ensureBuild();
      await ensureConsoleBuild();
      if (test) {
        await ensureClientBuild();
        await ensureTestPackages();
      }
      if (testPrograms) await ensureTestPrograms(putOnPath);
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
  const { engines } = JSON.parse(readFileSync(new URL('package.json', repoRoot), 'utf8'));
  if (isInRange(process.versions.node, engines.node)) return;
  throw new PrepareError(
    `This is Node.js ${process.version}; Service needs ${engines.node}. Older releases fail at the build or at the start.`,
  );
}
