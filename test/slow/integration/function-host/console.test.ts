import { compileRunner } from './compiled-runner.js';
import type { CompiledRunner } from './compiled-runner.js';
import { eventually, HostedFolder } from './hosted-folder.js';

describe('the function host, console output', () => {
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

  it('gives each line the run and attempt that wrote it, also when calls overlap', async () => {
    await folder.write(
      'talk.mjs',
      `export default async (request) => {
         const name = await request.text();
         for (let turn = 0; turn < 5; turn += 1) { console.log(name, turn); await new Promise((resolve) => setTimeout(resolve, 5)); }
         return new Response('done');
       };`,
    );
    const runs = ['a', 'b', 'c', 'd'];
    await Promise.all(
      runs.map((name, index) =>
        folder.text('talk', { body: name, runId: `run-${name}`, attempt: index + 1 }),
      ),
    );
    await eventually(() => folder.lines.length === 20);
    for (const [index, name] of runs.entries()) {
      const own = folder.lines.filter((line) => line.runId === `run-${name}`);
      expect(own.map((line) => line.message)).toEqual([0, 1, 2, 3, 4].map((turn) => `${name} ${turn}`));
      expect(own.every((line) => line.attempt === index + 1 && line.function === 'talk')).toBe(true);
    }
  });

  it('has all lines of an answered call when it says so', async () => {
    await folder.write(
      'many.mjs',
      `export default () => {
         for (let line = 0; line < 100; line += 1) console.log('line', line, '.'.repeat(1000));
         return new Response('done');
       };`,
    );
    const missing: string[] = [];
    for (let call = 1; call <= 30; call += 1) {
      const runId = `run-${call}`;
      await folder.text('many', { runId });
      if (folder.messages(runId).length < 100) missing.push(runId);
    }
    expect(missing).toEqual([]);
  });

  it('keeps the level of each console method and one line per call', async () => {
    await folder.write(
      'levels.mjs',
      `import nodeConsole from 'node:console';
       export default () => {
         console.debug('d'); console.log('l %d', 1); console.info({ a: [1] }); console.warn('w'); console.error('e\\ntwo');
         nodeConsole.log('module');
         return new Response();
       };`,
    );
    await folder.text('levels');
    await eventually(() => folder.lines.length === 6);
    expect(folder.lines.map((line) => [line.level, line.message])).toEqual([
      ['debug', 'd'],
      ['info', 'l 1'],
      ['info', '{ a: [ 1 ] }'],
      ['warn', 'w'],
      ['error', 'e\ntwo'],
      ['info', 'module'],
    ]);
  });

  it('gives what is written to the standard streams to the run that wrote it, a line for each line', async () => {
    await folder.write(
      'raw.mjs',
      `export default async (request) => {
         const name = await request.text();
         process.stdout.write(name + ' one\\n' + name);
         await new Promise((resolve) => setTimeout(resolve, 5));
         process.stdout.write(Buffer.from(' two\\nrest'));
         process.stderr.write('err\\n');
         return new Response();
       };`,
    );
    await Promise.all(['a', 'b'].map((name) => folder.text('raw', { body: name, runId: name })));
    for (const name of ['a', 'b']) {
      const own = folder.lines.filter((line) => line.runId === name);
      expect(own.map((line) => `${line.level} ${line.message}`)).toEqual([
        `info ${name} one`,
        `info ${name} two`,
        'error err',
        'info rest',
      ]);
    }
    expect(folder.messages(null)).toEqual([]);
  });

  it('collects raw writes to the descriptors of the standard streams without a run', async () => {
    await folder.write(
      'raw.mjs',
      "import { writeSync } from 'node:fs';\nexport default () => { writeSync(1, 'out one\\nout two\\n'); writeSync(2, 'err\\n'); return new Response(); };\n",
    );
    await folder.text('raw');
    await eventually(() => folder.lines.length === 3);
    const raw = folder.lines.map((line) => `${line.level} ${line.message} ${line.runId ?? 'none'}`).sort();
    expect(raw).toEqual(['error err none', 'info out one none', 'info out two none']);
  });

  it('cuts a line at 8 KiB and says so', async () => {
    await folder.write(
      'long.mjs',
      "export default () => { console.log('é'.repeat(100_000)); return new Response(); };\n",
    );
    await folder.text('long');
    await eventually(() => folder.lines.length === 1);
    const message = folder.lines[0]?.message ?? '';
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(8192);
    expect(message).toMatch(/^é+ … \(cut, 200000 bytes in all\)$/);
  });

  it('drops what a flood has too much and counts it in one line of the run', async () => {
    await folder.write(
      'flood.mjs',
      "export default () => { for (let i = 0; i < 300_000; i += 1) console.log('x'); return new Response(); };\n",
    );
    await folder.text('flood', { runId: 'flooder', timeoutMs: 20_000 });
    const dropped = (): number =>
      folder
        .messages('flooder')
        .reduce((sum, message) => sum + Number(/^(\d+) lines dropped/.exec(message)?.[1] ?? 0), 0);
    const kept = (): number => folder.messages('flooder').filter((message) => message === 'x').length;
    await eventually(() => kept() + dropped() === 300_000, 30_000);
    expect(kept()).toBeLessThan(60_000);
  });

  it('answers 500 and logs the stack when a function throws', async () => {
    await folder.write('throws.mjs', "export default () => {\n  throw new Error('no stock');\n};\n");
    const response = await folder.call('throws', { runId: 'r', attempt: 3 });
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ error: 'no stock' });
    await eventually(() => folder.lines.length === 1);
    expect(folder.lines[0]).toMatchObject({ level: 'error', runId: 'r', attempt: 3 });
    expect(folder.lines[0]?.message).toMatch(/^Error: no stock\n +at .*throws\.mjs:2:9\)?$/);
  });

  it('answers 500 when a function returns no Response', async () => {
    await folder.write('nothing.mjs', 'export default () => ({ ok: true });\n');
    const response = await folder.call('nothing');
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      error: 'the function answered an object (Object), not a Response',
    });
  });
});
