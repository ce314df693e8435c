import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import {
  FunctionLoadError,
  FunctionNotFoundError,
} from '../../../../src/jobs/invoker/function-host/index.js';
import { compileRunner } from './compiled-runner.js';
import type { CompiledRunner } from './compiled-runner.js';
import { eventually, HostedFolder, isAlive, PID_FUNCTION } from './hosted-folder.js';
import { fetch } from '../../../support/fetch.js';

/** From Node.js 22.18. */
const STRIPS_TYPES = (process.features as { typescript?: string | false }).typescript ?? false;
const TYPED: [string, string, RegExp] = [
  'typed.ts',
  'const x = 1;\nconst a: number = ;\n',
  /SyntaxError.*: Expression expected \(typed\.ts:2\)/,
];

describe('the function host, serving', () => {
  let runner: CompiledRunner;
  let folder: HostedFolder;
  beforeAll(async () => {
    runner = await compileRunner();
  });
  afterAll(() => runner.remove());
  beforeEach(async () => {
    folder = await HostedFolder.create(runner);
  });
  afterEach(() => folder.remove());

  it('serves a .mjs file and the modules that it imports', async () => {
    await folder.write('lib/greeting.mjs', "export const greeting = 'hello';\n");
    await folder.write(
      'greet.mjs',
      "import { greeting } from './lib/greeting.mjs';\nexport default async (request) => new Response(`${greeting} ${await request.text()}`);\n",
    );
    expect(await folder.text('greet', { body: 'ada' })).toBe('hello ada');
  });

  it('serves a .ts file that imports .ts modules, or says which Node.js does', async () => {
    await folder.write('lib/sum.ts', 'export const sum = (a: number, b: number): number => a + b;\n');
    await folder.write(
      'add.ts',
      "import { sum } from './lib/sum.ts';\ninterface Pair { a: number; b: number }\nexport default async (request: Request): Promise<Response> => {\n  const { a, b } = (await request.json()) as Pair;\n  return Response.json({ sum: sum(a, b) });\n};\n",
    );
    await folder.write('half.mjs', "export { default } from './add.ts';\n");
    const answered = await Promise.all(
      ['add', 'half'].map((name) =>
        folder.text(name, { body: '{"a":2,"b":3}' }).catch((error: unknown) => String(error)),
      ),
    );
    const refusal = expect.stringMatching(
      /"\.ts" for add\.ts: TypeScript needs Node\.js 22\.18 or newer, and this is [\d.]+; update Node\.js, or write the function in JavaScript/,
    ) as string;
    expect(answered).toEqual(STRIPS_TYPES ? ['{"sum":5}', '{"sum":5}'] : [refusal, refusal]);
  });

  it('prefers .mjs where a function is there in both forms', async () => {
    await folder.write('twice.ts', "export default () => new Response('ts');\n");
    await folder.write('twice.mjs', "export default () => new Response('mjs');\n");
    expect(await folder.text('twice')).toBe('mjs');
    expect(await folder.host.names()).toEqual(['twice']);
  });

  it('carries bodies byte for byte in both directions', async () => {
    await folder.write(
      'echo.mjs',
      'export default async (request) => new Response(await request.arrayBuffer());\n',
    );
    const body = new Uint8Array(randomBytes(3 * 1024 * 1024));
    const response = await folder.call('echo', { body });
    expect(Buffer.from(await response.arrayBuffer()).equals(body)).toBe(true);
  });

  it('passes the method and headers in and the status and headers out', async () => {
    await folder.write(
      'mirror.mjs',
      "export default (request) => new Response(null, { status: 422, headers: [['x-saw', `${request.method} ${request.headers.get('x-token')}`], ['set-cookie', 'a=1'], ['set-cookie', 'b=2']] });\n",
    );
    const response = await folder.call('mirror', { headers: { 'x-token': 'T' } });
    expect(response.status).toBe(422);
    expect(response.headers.get('x-saw')).toBe('POST T');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  it('streams a body while the function still writes it', async () => {
    await folder.write(
      'stream.mjs',
      `let release;
       const released = new Promise((resolve) => { release = resolve; });
       export default async (request) => {
         if ((await request.text()) === 'release') { release(); return new Response('released'); }
         const parts = async function* () { yield new TextEncoder().encode('first '); await released; yield new TextEncoder().encode('second'); };
         return new Response(ReadableStream.from(parts()));
       };`,
    );
    const response = await folder.call('stream');
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('first ');
    await folder.text('stream', { body: 'release' });
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('second');
  });

  it('knows names of the folder and refuses those that lead out of it', async () => {
    await folder.write('a.mjs', PID_FUNCTION);
    await folder.write('b.c.ts', PID_FUNCTION);
    await folder.write('types.d.ts', 'export {};\n');
    await folder.write('.hidden.mjs', PID_FUNCTION);
    await folder.write('lib/inner.mjs', PID_FUNCTION);
    expect(await folder.host.names()).toEqual(['a', 'b.c']);
    expect(await folder.host.has('a')).toBe(true);
    for (const name of ['../a', 'lib/inner', '.hidden', '', 'none', 'types.d', 'a\0']) {
      expect(await folder.host.has(name)).toBe(false);
      await expect(folder.host.endpoint(name)).rejects.toBeInstanceOf(FunctionNotFoundError);
    }
  });

  it('starts one process for callers that come together and keeps it', async () => {
    await folder.write('pid.mjs', PID_FUNCTION);
    const pids = await Promise.all(Array.from({ length: 8 }, () => folder.text('pid')));
    expect(new Set([...pids, await folder.text('pid')]).size).toBe(1);
  });

  it('refuses callers that do not know the secret path', async () => {
    await folder.write('pid.mjs', PID_FUNCTION);
    const { url } = await folder.host.endpoint('pid');
    expect((await fetch(new URL('/', url), { method: 'POST' })).status).toBe(404);
  });

  it('hides the environment of the program from functions', async () => {
    process.env['SERVICE_TEST_SECRET'] = 'secret';
    await folder.write('env.mjs', 'export default () => Response.json(process.env);\n');
    const seen = await folder.text('env');
    delete process.env['SERVICE_TEST_SECRET'];
    expect(seen).toContain('PASSED_ON');
    expect(seen).not.toContain('secret');
  });

  it('serves an edited file while a call of the old version ends in peace', async () => {
    await folder.write(
      'slow.mjs',
      `let release;
       const released = new Promise((resolve) => { release = resolve; });
       export default async (request) => {
         if ((await request.text()) === 'release') { release(); return new Response('released'); }
         console.log('waiting');
         await released;
         return new Response('old');
       };`,
    );
    const { url } = await folder.host.endpoint('slow');
    const old = folder.text('slow', { runId: 'old-run' });
    await eventually(() => folder.messages('old-run').includes('waiting'));
    await folder.write('slow.mjs', "export default () => new Response('new');\n");
    expect(await folder.text('slow')).toBe('new');
    await fetch(url, { method: 'POST', body: 'release' });
    expect(await old).toBe('old');
  });

  it('takes an edit of an imported module at once', async () => {
    await folder.write('lib/word.mjs', "export default 'one';\n");
    await folder.write(
      'say.mjs',
      "import word from './lib/word.mjs';\nexport default () => new Response(word);\n",
    );
    expect(await folder.text('say')).toBe('one');
    await folder.write('lib/word.mjs', "export default 'two!';\n");
    expect(await folder.text('say')).toBe('two!');
  });

  it('ends the process of a function whose file is deleted', async () => {
    await folder.write('pid.mjs', PID_FUNCTION);
    const pid = Number(await folder.text('pid'));
    await rm(join(folder.directory, 'pid.mjs'));
    await expect(folder.host.endpoint('pid')).rejects.toBeInstanceOf(FunctionNotFoundError);
    await eventually(() => !isAlive(pid));
  });

  it('ends the process of an idle function and starts it again when it is called', async () => {
    const idle = await HostedFolder.create(runner, { timing: { idleMs: 100 } });
    await idle.write('pid.mjs', PID_FUNCTION);
    const first = Number(await idle.text('pid'));
    await eventually(() => !isAlive(first));
    expect(Number(await idle.text('pid'))).not.toBe(first);
    expect(idle.lines).toEqual([]);
    await idle.remove();
  });

  it.each<[file: string, text: string, reason: RegExp]>([
    ...(STRIPS_TYPES ? [TYPED] : []),
    ['broken.mjs', 'const x = 1;\nconst a = ;\n', /SyntaxError: Unexpected token ';' \(broken\.mjs:2\)/],
    ['empty.mjs', 'export const a = 1;\n', /its default export is undefined, not a function/],
    ['thrower.mjs', "\n\nthrow new Error('no database');\n", /Error: no database \(thrower\.mjs:3\)/],
    ['lost.mjs', "import './none.mjs';\n", /Cannot find module 'none\.mjs' imported from lost\.mjs/],
    ['leaver.mjs', 'process.exit(3);\n', /function exited \(code 3\)/],
    ['killer.mjs', "process.kill(process.pid, 'SIGKILL');\n", /function exited \(signal SIGKILL\)/],
  ])('says why %s cannot be loaded, and serves it once it is mended', async (file, text, reason) => {
    await folder.write(file, text);
    const name = file.replace(/\.\w+$/, '');
    const error: unknown = await folder.host.endpoint(name).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(FunctionLoadError);
    expect((error as FunctionLoadError).message).toMatch(reason);
    expect((error as FunctionLoadError).message).not.toContain(folder.directory);
    await folder.write(file, "export default () => new Response('mended');\n");
    expect(await folder.text(name)).toBe('mended');
  });

  it('gives up on a function that never finishes loading', async () => {
    const impatient = await HostedFolder.create(runner, { timing: { loadLimitMs: 500 } });
    await impatient.write('endless.mjs', 'while (true);\n');
    await expect(impatient.host.endpoint('endless')).rejects.toThrow('it did not load within 500 ms');
    await impatient.remove();
  });
});
