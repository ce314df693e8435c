import { join } from 'node:path';
import { freePort } from '../../../support/free-port.js';
import { IS_EXHAUSTIVE } from '../../support/exhaustive.js';
import { PASSWORD, Client, signUp } from '../../../support/client.js';
import { addNode, makeBareDebian, whyNoBareDebian } from '../../support/machines/bare-debian.js';
import { copyRepository } from '../../support/machines/repository-copy.js';
import { registryVariables } from '../../support/machines/registry-access.js';
import { until } from '../../../support/until.js';

/** It takes two minutes; on a busy machine more. */
const START_LIMIT_MS = 20 * 60_000;
const FOLDER = '/srv/service';

/** The oldest release of each line that package.json admits, with the npm that comes with it. */
const MACHINES = [
  { node: '20.19.5', npm: '10.8.2', account: 'root' },
  { node: '22.15.0', npm: '10.9.2', account: 'ordinary' },
  { node: '24.0.0', npm: '11.3.0', account: 'ordinary' },
];

const obstacle = IS_EXHAUSTIVE ? whyNoBareDebian() : 'it takes minutes; TEST_EXHAUSTIVE=1 asks for it';

describe('on a Debian without compiler, Python, PostgreSQL and Redis', () => {
  if (obstacle !== null) {
    it.skip(`npm start is not tried: ${obstacle}`, () => undefined);
    return;
  }

  it.each(MACHINES)(
    'npm start with Node.js $node by the user $account installs, builds, and gives a token',
    async ({ node, npm, account }) => {
      const machine = makeBareDebian();
      try {
        for (const program of ['cc', 'gcc', 'g++', 'make', 'python3', 'postgres', 'redis-server'])
          expect(machine.run(`command -v ${program}`)).toEqual({ status: 127, output: '' });
        addNode(machine, { node, npm });
        copyRepository(join(machine.root, FOLDER));
        if (account !== 'root')
          machine.run(
            `useradd --user-group --create-home ${account} && chown -R ${account}:${account} ${FOLDER}`,
          );
        const port = await freePort();
        const program = machine.start(`cd ${FOLDER} && exec npm start`, {
          account,
          variables: { ...registryVariables(), SERVICE_SERVER__PORT: String(port) },
        });
        try {
          await until(
            () => program.log.includes('Service is ready') || program.hasEnded,
            START_LIMIT_MS,
            () => program.log,
          );
          expect(program.log).toContain('Service is ready');
          const url = `http://127.0.0.1:${port}`;
          const { email } = await signUp(url);
          const token = '/auth/v1/token?grant_type=password';
          const answer = await new Client(url).post<{ access_token: string }>(token, {
            email,
            password: PASSWORD,
          });
          expect(answer.status).toBe(200);
          expect(answer.body.access_token).toMatch(/^eyJ/);
          expect(machine.has(`${FOLDER}/node_modules/argon2/build`)).toBe(false);
          expect(await program.stop()).toBe(0);
        } finally {
          program.kill();
        }
      } finally {
        machine.dispose();
      }
    },
    START_LIMIT_MS + 120_000,
  );
});
