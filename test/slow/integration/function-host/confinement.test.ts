import { spawn } from 'node:child_process';
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { compileRunner } from './compiled-runner.js';
import type { CompiledRunner } from './compiled-runner.js';
import { FUNCTION_TIMING, eventually, HostedFolder, isAlive } from './hosted-folder.js';

const IS_ROOT = process.getuid?.() === 0;
/** A user that owns nothing else of the machine. */
const ORDINARY_ID = 60_123;

/** Answers, for each thing that it tries, `done` or the code of its refusal. */
const INTRUDER = `
import * as childProcess from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as inspector from 'node:inspector';
import * as http from 'node:http';
import * as net from 'node:net';
import * as nodeProcess from 'node:process';
import * as v8 from 'node:v8';
import * as threads from 'node:worker_threads';

function connectTo(where) {
  return new Promise((resolve, reject) => net.connect(where).on('connect', resolve).on('error', reject));
}
function connectBy(values) {
  return new Promise((resolve, reject) => new net.Socket().on('error', reject).on('connect', resolve).connect(values));
}
function listenOn(where) {
  return new Promise((resolve, reject) => net.createServer().on('error', reject).listen(where, resolve));
}
// What answers otherwise from the second reading on.
function changing(target, key, later) {
  let reads = 0;
  const get = (from, name) => (name === key && (reads += 1) > 1 ? later : from[name]);
  return new Proxy(target, { get });
}
async function attempt(work) {
  try { await work(); return 'done'; } catch (error) { return error.code ?? String(error); }
}
export default async (request) => {
  const { secret, program, folder, local } = await request.json();
  const require = createRequire(import.meta.url);
  const other = local + '-other';
  const attempts = {
    'environment of the program': () => fs.readFileSync('/proc/' + program + '/environ'),
    'own environment as a file': () => fs.readFileSync('/proc/self/environ'),
    'memory of itself': () => fs.openSync('/proc/self/mem', 'r'),
    'secret file': () => fs.readFileSync(secret),
    'secret file by promise': () => fs.promises.readFile(secret),
    'secret file by a buffer': () => fs.readFileSync(Buffer.from(secret)),
    'secret file through the own folder': () => fs.readFileSync(folder + '/../' + secret.split('/').slice(-2).join('/')),
    'secret file as a module': () => require(secret),
    'secret file as JSON': () => import(secret, { with: { type: 'json' } }),
    'file of the machine': () => fs.readFileSync('/etc/passwd'),
    'folder above': () => fs.readdirSync(folder + '/..'),
    'link': () => fs.symlinkSync(secret, folder + '/link'),
    'writing': () => fs.writeFileSync(folder + '/written', ''),
    'report': () => process.report.writeReport(folder + '/report'),
    'heap snapshot': () => v8.writeHeapSnapshot(folder + '/heap'),
    'command': () => { const { error } = childProcess.spawnSync('id'); if (error) throw error; },
    'detached command': () => childProcess.spawn('sleep', ['300'], { detached: true }),
    'fork': () => childProcess.fork(folder + '/harmless.mjs'),
    'thread': () => new threads.Worker('', { eval: true, execArgv: [] }),
    'binding': () => process.binding('fs'),
    'native code': () => process.dlopen({ exports: {} }, '/none.node'),
    'debugger': () => inspector.open(0),
    'debugger of itself': () => new inspector.Session().connect(),
    'signal to the program': () => process.kill(program, 0),
    'debugger of the program': () => process.kill(program, 'SIGUSR1'),
    'signal by an import': () => nodeProcess.kill(program, 'SIGUSR1'),
    'signal to all': () => process.kill(-1, 0),
    'internal signal': () => (process._kill ?? nodeProcess._kill)(program, 0),
    'internal debugger': () => process._debugProcess(program),
    'socket that is a file': () => connectTo({ path: local }),
    'socket that is a file, by its name': () => connectTo(local),
    'socket that is a file, by a class': () => new Promise((resolve, reject) => new net.Socket().on('error', reject).on('connect', resolve).connect(local)),
    'socket that is a file, by HTTP': () => new Promise((resolve, reject) => http.get({ socketPath: local }, resolve).on('error', reject)),
    'socket that is a file, after replacing what tells': async () => {
      const [test, exec, isArray, boolean] = [RegExp.prototype.test, RegExp.prototype.exec, Array.isArray, globalThis.Boolean];
      RegExp.prototype.test = () => true;
      RegExp.prototype.exec = () => ['1'];
      Array.isArray = () => false;
      globalThis.Boolean = () => false;
      let connected;
      try { connected = [connectTo(local), connectTo({ path: local })]; }
      finally { [RegExp.prototype.test, RegExp.prototype.exec, Array.isArray, globalThis.Boolean] = [test, exec, isArray, boolean]; }
      await Promise.any(connected).catch((error) => { throw error.errors[0]; });
    },
    'socket that is a file, by a second reading': () => connectTo(changing({ port: 1, path: undefined }, 'path', local)),
    'socket that is a file, by an array that changes': () => connectBy(changing([{ port: 1 }, null], '0', { path: local })),
    'socket that is a file, by an array of Node that changes': () => connectBy(changing(net._normalizeArgs([1, '127.0.0.1']), '0', { path: local })),
    'socket that is a file, by the prototype of all': async () => {
      let reads = 0;
      Object.defineProperty(Object.prototype, 'path', { configurable: true, get: () => ((reads += 1) > 1 ? local : undefined) });
      let connected;
      try { connected = connectTo({ port: 1, host: '127.0.0.1' }); } finally { delete Object.prototype.path; }
      await connected;
    },
    'socket that is a file, by the iterator of arrays': async () => {
      const iterators = Object.getPrototypeOf([][Symbol.iterator]());
      const { next } = iterators;
      const get = (from, name) => (name === 'path' && reads++ === 0 ? undefined : from[name]);
      let reads = 0;
      iterators.next = function () {
        const step = Reflect.apply(next, this, []);
        return step.value?.port === 1 ? { done: false, value: new Proxy({ port: 1, path: local }, { get }) } : step;
      };
      let connected;
      try { connected = connectTo({ port: 1, host: '127.0.0.1' }); } finally { iterators.next = next; }
      await connected;
    },
    'serving a socket that is a file': () => listenOn(other),
    'serving a socket that is a file, by options': () => listenOn({ path: other }),
    'serving a socket that is a file, by a handle': () => listenOn({ _handle: { path: other } }),
    'serving a socket that is a file, by a second reading': () => listenOn(changing({ path: undefined }, 'path', other)),
    'serving a socket that is a file, internally': () => net.createServer()._listen2(other, -1, -1, 1, undefined, 0),
    'handle of a socket that is a file': () => net._createServerHandle(other, -1, -1),
    'root': () => { process.setuid(0); if (process.getuid() !== 0) throw Object.assign(new Error(), { code: 'EPERM' }); },
  };
  const outcomes = {};
  for (const [name, work] of Object.entries(attempts)) outcomes[name] = await attempt(work);
  // Whoever replaces this sees the functions that others call by it.
  const call = Function.prototype.call;
  const taken = [];
  Function.prototype.call = function (...values) { taken.push(this); return Reflect.apply(this, values[0], values.slice(1)); };
  try { process.kill(process.pid, 0); } finally { Function.prototype.call = call; }
  const reaches = (taken) => { try { return Reflect.apply(taken, process, [program, 0]) === 0; } catch { return false; } };
  outcomes['signal by a taken function'] = taken.some(reaches) ? 'done' : 'EPERM';
  outcomes['own files'] = await attempt(() => fs.readFileSync(new URL('./harmless.mjs', import.meta.url)));
  outcomes['signal to itself'] = await attempt(() => process.kill(process.pid, 0));
  return Response.json({ outcomes, user: process.getuid(), groups: process.getgroups() });
};
`;

interface Report {
  readonly outcomes: Record<string, string>;
  readonly user: number;
  readonly groups: number[];
}

describe('the function host, confinement', () => {
  let runner: CompiledRunner;
  let folder: HostedFolder;
  let secret: string;
  let local: string;
  let localServer: Server;

  beforeAll(async () => {
    runner = await compileRunner();
  });
  afterAll(() => runner.remove());
  beforeEach(async () => {
    folder = await HostedFolder.create(runner);
    // Beside the folder, with its name at the beginning of its own.
    await mkdir(`${folder.directory}-secrets`);
    secret = join(`${folder.directory}-secrets`, 'data_key');
    await writeFile(secret, '"the key"', { mode: 0o644 });
    local = join(`${folder.directory}-secrets`, 'socket');
    localServer = createServer((socket) => socket.end('hello'));
    await new Promise<void>((resolve) => localServer.listen(local, resolve));
    await chmod(local, 0o777);
    await folder.write('harmless.mjs', 'export default () => new Response();\n');
    await folder.write('intruder.mjs', INTRUDER);
  });
  afterEach(async () => {
    await folder.remove();
    localServer.close();
    await rm(`${folder.directory}-secrets`, { recursive: true });
  });

  function expectRefusals({ outcomes }: Report): void {
    const { 'own files': ownFiles, 'signal to itself': ownSignal, ...refused } = outcomes;
    expect([ownFiles, ownSignal]).toEqual(['done', 'done']);
    expect(Object.entries(refused).filter(([, outcome]) => outcome === 'done')).toEqual([]);
    // The first reading counts, which named a port where nobody listens, or nothing.
    const codes =
      /^(ERR_ACCESS_DENIED|ERR_DLOPEN_DISABLED|EPERM|ECONNREFUSED|ERR_INVALID_ARG_VALUE|TypeError: .* is not a function)$/;
    expect(Object.entries(refused).filter(([, outcome]) => !codes.test(outcome))).toEqual([]);
  }

  it('refuses a function all that is not its own, and as root makes it a user of its own', async () => {
    const body = JSON.stringify({ secret, program: process.pid, folder: folder.directory, local });
    const report = (await (await folder.call('intruder', { body })).json()) as Report;
    expectRefusals(report);
    const other = (await (await folder.call('intruder', { body })).json()) as Report;
    expect(other.user).toBe(report.user);
    if (IS_ROOT) expect([report.user, report.groups]).toEqual([expect.any(Number), [report.user]]);
    if (IS_ROOT) expect(report.user).toBeGreaterThan(60_000);
  });

  it('says in the answer what was refused and which setting that is', async () => {
    await folder.write(
      'reader.mjs',
      "import { readFileSync } from 'node:fs';\nexport default () => new Response(readFileSync('/etc/passwd'));\n",
    );
    const response = await folder.call('reader');
    expect([response.status, await response.json()]).toEqual([
      500,
      {
        error: expect.stringMatching(/restricted.*: FileSystemRead \/etc\/passwd; see functions\.isolation$/),
      },
    ]);
  });

  it('refuses the same where the program is an ordinary user', async () => {
    if (!IS_ROOT) return;
    const home = await mkdtemp(join(await realpath(tmpdir()), 'ordinary-'));
    await chmod(home, 0o755);
    await cp(folder.directory, join(home, 'functions'), { recursive: true });
    await cp(new URL('.', runner.index), join(home, 'host'), { recursive: true });
    await symlink(join(process.cwd(), 'node_modules'), join(home, 'node_modules'));
    await writeFile(join(home, 'package.json'), '{"type":"module"}');
    await writeFile(join(home, 'data_key'), '"the key"', { mode: 0o600 });
    const body = { secret: join(home, 'data_key'), folder: join(home, 'functions'), local };
    await writeFile(
      join(home, 'program.js'),
      `const { FunctionHost } = await import('./host/index.js');
       const host = new FunctionHost({ dir: ${JSON.stringify(body.folder)}, timing: ${JSON.stringify(FUNCTION_TIMING)}, log: () => undefined });
       const { url } = await host.endpoint('intruder');
       const body = JSON.stringify({ ...${JSON.stringify(body)}, program: process.pid });
       console.log(await (await fetch(url, { method: 'POST', body })).text());
       await host.stop();`,
    );
    for (const name of [home, ...(await readdir(home, { recursive: true })).map((path) => join(home, path))])
      await chown(name, ORDINARY_ID, ORDINARY_ID).catch(() => undefined);
    const program = spawn(process.execPath, [join(home, 'program.js')], {
      uid: ORDINARY_ID,
      gid: ORDINARY_ID,
      cwd: '/',
      env: { DATA_KEY: 'the key' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const report = JSON.parse(await text(program.stdout)) as Report;
    await rm(home, { recursive: true });
    expectRefusals(report);
    expect(report.user).toBe(ORDINARY_ID);
  });

  it('lets a function read and start what it wants without isolation', async () => {
    const open = await HostedFolder.create(runner, { isolation: 'none' });
    await open.write('harmless.mjs', 'export default () => new Response();\n');
    await open.write(
      'reader.mjs',
      `import { readFileSync } from 'node:fs';
       import { execFileSync } from 'node:child_process';
       export default () => new Response(readFileSync(${JSON.stringify(secret)}, 'utf8') + execFileSync('echo', ['started']));`,
    );
    expect(await open.text('reader')).toBe('"the key"started\n');
    await open.remove();
  });

  it('serves a folder of root that no other user may enter, and leaves no copy of it', async () => {
    await chmod(folder.directory, 0o700);
    await folder.write('data/text.txt', 'its own text');
    await folder.write(
      'own.mjs',
      `import { readFileSync } from 'node:fs';
       import { word } from './lib/word.mjs';
       export default () => new Response(word + readFileSync(new URL('./data/text.txt', import.meta.url), 'utf8'));`,
    );
    await folder.write('real/word.mjs', "export const word = 'hello ';\n");
    await symlink('real', join(folder.directory, 'lib'));
    expect(await folder.text('own')).toBe('hello its own text');
    const copies = async (): Promise<string[]> =>
      (await readdir(tmpdir())).filter((name) => name.startsWith('service-functions-'));
    const before = await copies();
    await folder.host.stop();
    if (IS_ROOT) await eventually(async () => (await copies()).length < before.length);
  });

  it('serves again when the system or somebody else has taken the folder of copies away', async () => {
    if (!IS_ROOT) return;
    await chmod(folder.directory, 0o700);
    const mine = async (): Promise<string[]> =>
      (await readdir(tmpdir())).filter((name) => name.startsWith('service-functions-'));
    const others = new Set(await mine());
    await folder.write('first.mjs', "export default () => new Response('first');\n");
    await folder.write('second.mjs', "export default () => new Response('second');\n");
    await folder.write('third.mjs', "export default () => new Response('third');\n");
    expect(await folder.text('first')).toBe('first');
    const [name] = (await mine()).filter((found) => !others.has(found));
    if (name === undefined) throw new Error('the program made no folder of copies');
    const path = join(tmpdir(), name);
    await rm(path, { recursive: true });
    expect(await folder.text('second')).toBe('second');
    await mkdir(path);
    await chown(path, ORDINARY_ID, ORDINARY_ID);
    expect(await folder.text('third')).toBe('third');
    expect(await readdir(path)).toEqual([]);
    await rm(path, { recursive: true });
  });

  it('says which link leads out of the folder, and serves again without it', async () => {
    await symlink('/', join(folder.directory, 'link'));
    await expect(folder.call('harmless')).rejects.toThrow('the link link leads out of the functions folder');
    await rm(join(folder.directory, 'link'));
    expect((await folder.call('harmless')).status).toBe(200);
  });

  it('gives a function that writes to the channel itself no line of another run, and ends it', async () => {
    await folder.write(
      'victim.mjs',
      "export default async () => { console.log('mine'); await new Promise((resolve) => setTimeout(resolve, 300)); return new Response(); };\n",
    );
    const message = (forged: string, call: string | null): string =>
      JSON.stringify({
        type: 'line',
        line: { call, runId: 'victim', attempt: 1, level: 'info', message: forged, at: 0 },
        cmd: 'NODE_HANDLE',
      });
    await folder.write(
      'forger.mjs',
      `import { writeSync } from 'node:fs';
       import * as threads from 'node:worker_threads';
       function frame(text) {
         const head = Buffer.alloc(8);
         head.writeUInt32BE(Buffer.byteLength(text), 0);
         return Buffer.concat([head, Buffer.from(text)]);
       }
       export default async (request) => {
         const kind = await request.text();
         if (kind === 'wait') { console.log('waiting'); await new Promise((resolve) => setTimeout(resolve, 1500)); return new Response(); }
         const [good, named] = [${JSON.stringify(message('forged', null))}, ${JSON.stringify(message('forged', 'victim'))}];
         threads.parentPort?.postMessage(JSON.parse(named));
         process.send?.(JSON.parse(named));
         process.emit('message', JSON.parse(named));
         if (kind === 'frames') writeSync(3, Buffer.concat([frame(good), frame(named)]));
         if (kind === 'text') writeSync(3, named + '\\n');
         for (let fd = 1; kind === 'everywhere' && fd <= 20; fd += 1) {
           try { writeSync(fd, named + '\\n'); } catch { /* not open */ }
         }
         console.log('written');
         await new Promise((resolve) => setTimeout(resolve, 200));
         return new Response('served');
       };`,
    );
    const victim = folder.text('victim', { runId: 'victim' });
    const beside = folder.call('forger', { body: 'wait', runId: 'beside' });
    await eventually(() => folder.messages('beside').length > 0);
    // Well-formed frames are lines of no run.
    expect(await folder.text('forger', { body: 'frames', runId: 'forger' })).toBe('served');
    // Anything else ends the process, and the calls of the same function with it.
    const broken = await folder.call('forger', { body: 'text', runId: 'forger' });
    expect([broken.status, await broken.json()]).toEqual([
      500,
      { error: 'function broke the protocol between its process and the program' },
    ]);
    await beside;
    // Some of the descriptors are Node's own, and what becomes of the process is its own affair.
    await folder.call('forger', { body: 'everywhere', runId: 'forger' }).catch(() => undefined);
    await victim;
    expect(folder.messages('victim')).toEqual(['mine']);
    expect(folder.messages('beside')).toEqual([
      'waiting',
      'function broke the protocol between its process and the program',
    ]);
    expect(folder.messages('forger').filter((line) => line.includes('forged'))).toEqual([]);
  });

  it('ends a function that sends an invalid HTTP response or an unrequested message', async () => {
    await folder.write(
      'sender.mjs',
      `import { writeSync } from 'node:fs';
       function frame(message, bytes = '') {
         const [text, head] = [JSON.stringify(message), Buffer.alloc(8)];
         head.writeUInt32BE(Buffer.byteLength(text), 0);
         head.writeUInt32BE(bytes.length, 4);
         writeSync(3, Buffer.concat([head, Buffer.from(text + bytes)]));
       }
       export default async (request) => {
         const call = await request.text();
         if (call === 'length') writeSync(3, Buffer.alloc(64, 255));
         else if (call === 'shape') frame({ type: 'head', call: 7 });
         else frame({ type: 'line', line: { call: null, level: 'info', message: 'x', at: 1e300 } });
         await new Promise(() => {});
       };`,
    );
    for (const body of ['length', 'shape', 'instant']) {
      const answer = (await (await folder.call('sender', { body })).json()) as { error: string };
      expect(answer.error).toBe('function broke the protocol between its process and the program');
    }
  });

  it('ends a function that says twice whether it has loaded, and looks for one place of an error at most', async () => {
    await folder.write(
      'repeater.mjs',
      `import { writeSync } from 'node:fs';
       function frame(message) {
         const [text, head] = [JSON.stringify(message), Buffer.alloc(8)];
         head.writeUInt32BE(Buffer.byteLength(text), 0);
         return Buffer.concat([head, Buffer.from(text)]);
       }
       export default async (request) => {
         const failed = { type: 'failed', reason: 'forged', isUnplacedSyntaxError: true };
         const message = (await request.text()) === 'failed' ? failed : { type: 'loaded' };
         writeSync(3, Buffer.concat(Array(100).fill(frame(message))));
         await new Promise(() => {});
       };`,
    );
    for (const body of ['failed', 'loaded']) {
      const answer = (await (await folder.call('repeater', { body })).json()) as { error: string };
      expect(answer.error).toBe('function broke the protocol between its process and the program');
    }
    await folder.write(
      'unloaded.mjs',
      `import { writeSync } from 'node:fs';
       const text = JSON.stringify({ type: 'failed', reason: 'forged', isUnplacedSyntaxError: true });
       const head = Buffer.alloc(8);
       head.writeUInt32BE(text.length, 0);
       const frame = Buffer.concat([head, Buffer.from(text)]);
       writeSync(3, Buffer.concat(Array(100).fill(frame)));
       await new Promise((resolve) => setTimeout(resolve, 30_000));
       export default () => new Response();`,
    );
    await expect(folder.call('unloaded')).rejects.toThrow(
      'function broke the protocol between its process and the program',
    );
  });

  it('reaches a server of the machine only over its port, without anything that opens it', async () => {
    const server = createServer((socket) => socket.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await folder.write(
      'caller.mjs',
      `import { connect } from 'node:net';
       import { text } from 'node:stream/consumers';
       export default async (request) => new Response(await text(connect(Number(await request.text()), '127.0.0.1')));`,
    );
    const { port } = server.address() as AddressInfo;
    expect(await folder.text('caller', { body: String(port) })).toBe('hello');
    server.close();
  });

  it('lets a function connect and serve by each way of naming a port', async () => {
    await folder.write(
      'server.mjs',
      `import * as net from 'node:net';
       import { text } from 'node:stream/consumers';
       const answers = (socket) => socket.end('hello');
       async function listening(...values) {
         const server = net.createServer(answers);
         await new Promise((resolve, reject) => server.on('error', reject).listen(...values, resolve));
         const { port } = server.address();
         const said = await Promise.all([
           text(net.connect(port)), text(net.connect(String(port), 'localhost')), text(net.connect({ port, host: '127.0.0.1' })),
           new Promise((resolve) => { const socket = net.connect(port, '127.0.0.1', () => resolve(text(socket))); }),
           text(new net.Socket().connect(port)),
         ]);
         server.close();
         return said.join();
       }
       export default async () => Response.json([
         await listening(), await listening(0), await listening('0', '127.0.0.1'), await listening(0, '127.0.0.1', 5),
         await listening({ port: 0, host: '127.0.0.1' }), await listening(null), await listening(undefined, 5),
       ]);`,
    );
    const said = Array<string>(5).fill('hello').join();
    expect(JSON.parse(await folder.text('server'))).toEqual(Array(7).fill(said));
  });

  it('leaves nothing that a function tried to start', async () => {
    await folder.write(
      'spawner.mjs',
      "import { spawn } from 'node:child_process';\nexport default () => new Response(String(spawn('sleep', ['300'], { detached: true }).pid));\n",
    );
    const response = await folder.call('spawner');
    expect(response.status).toBe(500);
    const body = JSON.stringify(await response.json());
    expect(body).toContain('ChildProcess');
    expect(/"(\d+)"/.exec(body) === null || !isAlive(Number(/\d+/.exec(body)?.[0]))).toBe(true);
  });
});
