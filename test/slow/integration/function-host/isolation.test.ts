import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { FunctionHostStoppedError } from '../../../../src/jobs/invoker/function-host/index.js';
import { compileRunner } from './compiled-runner.js';
import type { CompiledRunner } from './compiled-runner.js';
import { FUNCTION_TIMING, eventually, HostedFolder, isAlive, PID_FUNCTION } from './hosted-folder.js';
import { fetch } from '../../../support/fetch.js';

const HANG_ON_DEMAND = `export default async (request) => {
  if ((await request.text()) === 'hang') { console.log('pid', process.pid); while (true); }
  return new Response(String(process.pid));
};
`;

describe('the function host, isolation', () => {
  let runner: CompiledRunner;
  let folder: HostedFolder;
  beforeAll(async () => {
    runner = await compileRunner();
  });
  afterAll(() => runner.remove());
  beforeEach(async () => {
    folder = await HostedFolder.create(runner, { memoryLimitMb: 64 });
    await folder.write('neighbour.mjs', PID_FUNCTION);
  });
  afterEach(() => folder.remove());

  async function hangingPid(runId: string): Promise<number> {
    const pid = (): string | undefined =>
      folder.messages(runId).find((message) => message.startsWith('pid '));
    await eventually(() => pid() !== undefined);
    return Number(pid()?.slice('pid '.length));
  }

  it.each([
    [
      'an error outside of the call',
      "setTimeout(() => { throw new Error('late') }); await new Promise(() => {});",
      /^function crashed: Error: late/,
    ],
    [
      'an unhandled rejection',
      "void Promise.reject(new Error('lost')); await new Promise(() => {});",
      /^function crashed: Error: lost/,
    ],
    ['process.exit', 'process.exit(7);', /^function exited \(code 7\)/],
    [
      '1 GiB of arrays',
      'const kept = []; while (true) kept.push(new Array(1e5).fill({}));',
      /^function ran out of memory \(64 MiB\)/,
    ],
    [
      '1 GiB of buffer',
      'globalThis.kept = Buffer.alloc(2 ** 30, 1); await new Promise(() => {});',
      /^function ran out of memory \(64 MiB\)/,
    ],
  ])(
    'reports %s on its run, harms no other function and serves the next call',
    async (_title, code, reason) => {
      const neighbour = await folder.text('neighbour');
      await folder.write(
        'victim.mjs',
        `export default async (request) => { if ((await request.text()) === 'crash') { ${code} } return new Response('well'); };\n`,
      );
      expect(await folder.text('victim')).toBe('well');
      const response = await folder.call('victim', { body: 'crash', runId: 'crashed', attempt: 2 });
      expect(response.status).toBe(500);
      expect(((await response.json()) as { error: string }).error).toMatch(reason);
      await eventually(() => folder.messages('crashed').length === 1);
      expect(folder.lines.find((line) => line.runId === 'crashed')).toMatchObject({
        level: 'error',
        attempt: 2,
        message: expect.stringMatching(reason),
      });
      expect(await folder.text('victim')).toBe('well');
      expect(await folder.text('neighbour')).toBe(neighbour);
    },
  );

  it('reports a process that was killed on each run in flight and starts another', async () => {
    await folder.write(
      'killed.mjs',
      "export default async (request) => { if ((await request.text()) === 'die') process.kill(process.pid, 'SIGKILL'); return new Response('well'); };\n",
    );
    const response = await folder.call('killed', { body: 'die', runId: 'dead' });
    expect([response.status, await response.json()]).toEqual([
      500,
      { error: 'function exited (signal SIGKILL)' },
    ]);
    expect(folder.messages('dead')).toEqual(['function exited (signal SIGKILL)']);
    expect(await folder.text('killed')).toBe('well');
  });

  it('does not let a hang block others, ends it after its caller has gone, and reports it on its run', async () => {
    const neighbour = await folder.text('neighbour');
    await folder.write('loop.mjs', HANG_ON_DEMAND);
    const hung = folder.call('loop', { body: 'hang', runId: 'hung', timeoutMs: 3000 });
    const pid = await hangingPid('hung');
    expect(await folder.text('neighbour')).toBe(neighbour);
    await expect(hung).rejects.toThrow();
    await eventually(() => !isAlive(pid));
    await eventually(() => folder.messages('hung').at(-1)?.startsWith('function hung') === true);
    expect(Number(await folder.text('loop'))).not.toBe(pid);
  });

  it('serves the mended file while the old version still hangs', async () => {
    await folder.write('loop.mjs', HANG_ON_DEMAND);
    const hung = folder.call('loop', { body: 'hang', runId: 'hung' }).catch(() => undefined);
    await hangingPid('hung');
    await folder.write('loop.mjs', "export default () => new Response('mended');\n");
    expect(await folder.text('loop')).toBe('mended');
    await folder.host.stop();
    await hung;
  });

  it('tells a function through its signal that the caller has gone', async () => {
    await folder.write(
      'patient.mjs',
      `export default (request) => new Promise((resolve) => {
         console.log('begun');
         request.signal.addEventListener('abort', () => { console.log('cancelled'); resolve(new Response()); });
       });`,
    );
    const controller = new AbortController();
    const { url } = await folder.host.endpoint('patient');
    const headers = { 'x-service-run-id': 'left' };
    const call = fetch(url, { method: 'POST', headers, signal: controller.signal });
    await eventually(() => folder.messages('left').includes('begun'));
    controller.abort();
    await expect(call).rejects.toThrow();
    await eventually(() => folder.messages('left').includes('cancelled'));
  });

  it('leaves no process behind after a stop, not even one that hangs or was spawned without isolation', async () => {
    const open = await HostedFolder.create(runner, { isolation: 'none' });
    await folder.write('loop.mjs', HANG_ON_DEMAND);
    await open.write(
      'spawner.mjs',
      "import { spawn } from 'node:child_process';\nexport default () => new Response(String(spawn('sleep', ['300']).pid));\n",
    );
    const pids = [Number(await folder.text('neighbour')), Number(await open.text('spawner'))];
    const hung = folder.call('loop', { body: 'hang', runId: 'hung' }).catch(() => undefined);
    pids.push(await hangingPid('hung'));
    expect(pids.every(isAlive)).toBe(true);
    await Promise.all([folder.host.stop(), open.remove()]);
    await eventually(() => !pids.some(isAlive));
    await expect(folder.host.endpoint('neighbour')).rejects.toBeInstanceOf(FunctionHostStoppedError);
    await hung;
  });

  it('leaves no process behind when the program is killed, not even one that hangs', async () => {
    await folder.write('loop.mjs', HANG_ON_DEMAND);
    const program = join(folder.directory, 'lib-program.js');
    await writeFile(
      program,
      `import(${JSON.stringify(runner.index.href)}).then(async ({ FunctionHost }) => {
         const timing = ${JSON.stringify(FUNCTION_TIMING)};
         const host = new FunctionHost({ dir: ${JSON.stringify(folder.directory)}, timing, log: (line) => console.log(line.message) });
         const { url } = await host.endpoint('neighbour');
         console.log('pid', await (await fetch(url, { method: 'POST' })).text());
         await fetch((await host.endpoint('loop')).url, { method: 'POST', body: 'hang' });
       });`,
    );
    const parent = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    parent.stdout.on('data', (text: Buffer) => (output += text.toString()));
    const pids = (): number[] => [...output.matchAll(/pid (\d+)/g)].map((match) => Number(match[1]));
    await eventually(() => pids().length === 2);
    expect(pids().every(isAlive)).toBe(true);
    parent.kill('SIGKILL');
    await eventually(() => !pids().some(isAlive));
  });
});
