import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { Client } from '../../../support/client.js';
import type { Answer } from '../../../support/client.js';
import type { ClientProject } from '../../support/client-package.js';
import { freePort } from '../../../support/free-port.js';
import { blocksOf } from '../../../support/readme.js';
import { until } from '../../../support/until.js';

/** What the README calls a service that runs on the reader's machine. */
const ADDRESS = 'http://127.0.0.1:8080';

export const README = blocksOf(new URL('../../../../client/README.md', import.meta.url));
export const PROJECTS = 'Projects';
export const OWN_SERVICE = 'In your own service';

/** Runs blocks as one module, against a service. @returns what it printed */
export async function runBlocks(
  project: ClientProject,
  url: string,
  blocks: readonly string[],
  variables: Record<string, string> = {},
): Promise<string> {
  const prelude = Object.entries(variables).map(([name, value]) => `process.env.${name} = '${value}';\n`);
  const program = blocks.join('\n').replaceAll(ADDRESS, url);
  await project.write('readme.mjs', `${prelude.join('')}${program}`);
  return await project.node('readme.mjs');
}

/** Runs a block that listens on `PORT`, asks it, and ends it. */
export async function askServer(
  project: ClientProject,
  url: string,
  block: string,
  ask: (client: Client) => Promise<Answer[]>,
): Promise<Answer[]> {
  await project.write('server.mjs', block.replaceAll(ADDRESS, url));
  const port = await freePort();
  const env = { PATH: process.env.PATH ?? '', PORT: String(port) };
  const child = spawn(process.execPath, [join(project.folder, 'server.mjs')], { env, stdio: 'inherit' });
  try {
    const client = new Client(`http://127.0.0.1:${port}`);
    await until(async () => (await client.get('/').catch(() => null)) !== null);
    return await ask(client);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

/** Calls a block's default export as the service calls a handler. @returns what it answered, as text */
export async function callHandler(project: ClientProject, block: string): Promise<string> {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const [id, at, body] = ['run_1', new Date(), '{"name":"Ada"}'];
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
  await project.write('handler.mjs', block);
  await project.write(
    'call.mjs',
    `process.env.SIGNING_SECRET = '${secret}';
     const { default: handler } = await import('./handler.mjs');
     const init = { method: 'POST', headers: ${JSON.stringify(headers)}, body: '${body}' };
     console.log(await (await handler(new Request('http://localhost', init))).text());`,
  );
  return await project.node('call.mjs');
}
