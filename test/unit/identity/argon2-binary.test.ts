import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { nodeBuildsAtHand } from '../../support/machines/node-build.js';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** Loads only what the package brings: a binary that was compiled on this machine proves nothing for others. */
const HASH_WITH_PREBUILT_BINARY = `
  const folder = require('node:path').dirname(require.resolve('argon2/package.json'));
  const { path } = require('node-gyp-build');
  const argon2 = require('argon2');
  argon2
    .hash('correct horse battery', { memoryCost: 8192, timeCost: 1 })
    .then((hash) => argon2.verify(hash, 'correct horse battery'))
    .then((isRight) => console.log(JSON.stringify({ isRight, binary: path(folder).slice(folder.length) })));
`;

const builds = [
  { version: `${process.versions.node}, which runs this test`, node: process.execPath },
  ...nodeBuildsAtHand(),
];

describe('the prebuilt binary of argon2', () => {
  it.each(builds)('hashes on Node.js $version', async ({ node }) => {
    const { stdout } = await promisify(execFile)(node, ['-e', HASH_WITH_PREBUILT_BINARY], {
      cwd: repository,
      env: { PREBUILDS_ONLY: '1' },
    });
    const { isRight, binary } = JSON.parse(stdout) as { isRight: boolean; binary: string };
    expect(isRight).toBe(true);
    expect(binary).toMatch(/^\/prebuilds\//);
  });
});
