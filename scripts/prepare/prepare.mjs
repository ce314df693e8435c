import { readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { ensureBuild } from './build.mjs';
import { ensureClientBuild } from './client-build.mjs';
import { ensureConsoleBuild } from './console-build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { isInRange } from './node-version.mjs';
import { asPrepareError, PrepareError, repoRoot, say } from './report.mjs';
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
  // With a mask such as 0777, the owner could not read what is built here. src/platform/startup says it for the program.
  process.umask(process.umask(0o077) & ~0o700);
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
    const refusal = asPrepareError(error);
    if (refusal === null) throw error;
    say(refusal.message);
    process.exit(refusal.exitCode);
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
