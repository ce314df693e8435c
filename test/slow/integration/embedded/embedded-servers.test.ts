import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedError } from '../../../../src/platform/embedded/index.js';
import { HeldFolder, eventually, isRunning, kill, processes, query, withRedis } from './held-folder.js';

describe('embedded servers', () => {
  let folder: HeldFolder;
  let bystander: ChildProcess;

  beforeAll(async () => {
    folder = await HeldFolder.make();
    bystander = spawn('sleep', ['600'], { stdio: 'ignore' });
    // What an initdb that was killed half-way leaves.
    await mkdir(join(folder.path, 'postgres.new', 'data', 'base'), { recursive: true });
    await writeFile(join(folder.path, 'postgres.new', 'data', 'PG_VERSION'), '18\n');
    await (await folder.start()).stop();
  });

  afterAll(async () => {
    await kill(bystander);
    await folder.remove();
  });

  test('keep their data from one start to the next', async () => {
    const first = await folder.start();
    await query(first.postgresUrl, 'CREATE TABLE kept (word text)');
    await query(first.postgresUrl, `INSERT INTO kept VALUES ('Größe')`);
    await withRedis(first.redisUrl, (redis) => redis.set('kept', 'too'));
    await first.stop();

    const second = await folder.start();
    expect(await query(second.postgresUrl, 'SELECT lower(word) AS word FROM kept')).toEqual([
      { word: 'größe' },
    ]);
    expect(await withRedis(second.redisUrl, (redis) => redis.get('kept'))).toBe('too');
    await second.stop();
  });

  test('listen on loopback only, ask for a password, and drop nothing from Redis', async () => {
    const servers = await folder.start();
    const settings = await query(
      servers.postgresUrl,
      `SELECT current_setting('listen_addresses') AS addresses, current_setting('unix_socket_directories') AS sockets,
              current_setting('max_connections') AS connections, current_setting('server_encoding') AS encoding`,
    );
    expect(settings).toEqual([{ addresses: '127.0.0.1', sockets: '', connections: '200', encoding: 'UTF8' }]);
    const wrongPassword = servers.postgresUrl.replace(/:[^:@]+@/, ':wrong@');
    await expect(query(wrongPassword, 'SELECT 1')).rejects.toThrow('password authentication failed');
    const policy = await withRedis(servers.redisUrl, (redis) => redis.config('GET', 'maxmemory-policy'));
    expect(policy).toEqual(['maxmemory-policy', 'noeviction']);
    const commands = processes().map((process) => process.command);
    for (const url of [servers.postgresUrl, servers.redisUrl]) {
      expect(commands.filter((command) => command.includes(new URL(url).password))).toEqual([]);
    }
    await servers.stop();
  });

  test('leave no process and no lock behind after a stop', async () => {
    const servers = await folder.start();
    const pids = [folder.postgresPid(), folder.redisPid()];
    await servers.stop();
    await servers.stop();
    expect(pids.filter(isRunning)).toEqual([]);
    expect(watchdogsOf(process.pid)).toEqual([]);
    await expect(stat(join(folder.path, 'embedded.lock'))).rejects.toThrow('ENOENT');
  });

  test('refuse a second program on the same folder', async () => {
    const servers = await folder.start();
    const refusal = folder.start();
    await expect(refusal).rejects.toThrow(EmbeddedError);
    await expect(refusal).rejects.toThrow(`another Service (pid ${process.pid}) already uses`);
    await servers.stop();
  });

  test('end by themselves when the program is killed, and start again', async () => {
    const program = await folder.startProgram();
    const pids = [folder.postgresPid(), folder.redisPid()];
    await kill(program);
    await eventually('the servers are gone', () => !pids.some(isRunning));
    const next = await folder.start();
    expect(await query(next.postgresUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await next.stop();
  });

  test('are ended by the next start when the watchdog was killed too', async () => {
    const program = await folder.startProgram();
    const pids = [folder.postgresPid(), folder.redisPid()];
    const [watchdog, ...more] = watchdogsOf(program.pid);
    expect(more).toEqual([]);
    process.kill(watchdog ?? Number.NaN, 'SIGKILL');
    await kill(program);
    expect(pids.filter(isRunning)).toEqual(pids);

    const next = await folder.start();
    expect(pids.filter(isRunning)).toEqual([]);
    expect(await query(next.postgresUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await next.stop();
  });

  test('are not stopped by lock files whose pid belongs to another program by now, or to none', async () => {
    const foreign = bystander.pid ?? Number.NaN;
    for (const pid of [foreign, deadPid()]) {
      await writeFile(join(folder.path, 'embedded.lock'), `${pid}\nan-earlier-life\n`);
      await writeFile(
        join(folder.path, 'postgres', 'postmaster.pid'),
        `${pid}\n${folder.path}/postgres\n1\n1\n`,
      );
      await writeFile(join(folder.path, 'redis', 'redis.pid'), `${pid}\n`);
      await (await folder.start()).stop();
    }
    expect(isRunning(foreign)).toBe(true);
  });

  test('come back on the same port when one of them dies', async () => {
    const servers = await folder.start();
    const { postgresUrl, redisUrl } = servers;
    process.kill(folder.postgresPid(), 'SIGKILL');
    process.kill(folder.redisPid(), 'SIGKILL');
    await eventually('PostgreSQL answers again', () => succeeds(query(postgresUrl, 'SELECT 1')));
    await eventually('Redis answers again', () => succeeds(withRedis(redisUrl, (redis) => redis.ping())));
    expect(folder.logged).toContain('PostgreSQL ended by itself (SIGKILL); starting it again');
    expect(folder.logged).toContain('Redis ended by itself (SIGKILL); starting it again');
    await servers.stop();
  });

  test('start with an empty Redis when its file cannot be read, keeping that file', async () => {
    await rm(join(folder.path, 'redis', 'appendonlydir'), { recursive: true });
    await mkdir(join(folder.path, 'redis', 'appendonlydir'));
    await writeFile(join(folder.path, 'redis', 'appendonlydir', 'appendonly.aof.manifest'), 'no manifest');
    const servers = await folder.start({ postgres: false, redis: true });
    expect(await withRedis(servers.redisUrl, (redis) => redis.dbsize())).toBe(0);
    expect(folder.logged).toContainEqual(expect.stringContaining('appendonlydir.unreadable-'));
    await servers.stop();
  });

  test('refuse the data of another PostgreSQL version, and free the folder', async () => {
    await rm(join(folder.path, 'postgres'), { recursive: true });
    await mkdir(join(folder.path, 'postgres'));
    await writeFile(join(folder.path, 'postgres', 'PG_VERSION'), '12\n');
    await expect(folder.start()).rejects.toThrow('was made by PostgreSQL 12');
    await expect(stat(join(folder.path, 'embedded.lock'))).rejects.toThrow('ENOENT');
    expect(watchdogsOf(process.pid)).toEqual([]);
  });
});

function watchdogsOf(program: number | undefined): number[] {
  return processes()
    .filter(({ parent, command }) => parent === program && command.includes('postgres= redis= initdb='))
    .map(({ pid }) => pid);
}

function deadPid(): number {
  let pid = 4_000_000;
  while (isRunning(pid)) pid -= 1;
  return pid;
}

async function succeeds(attempt: Promise<unknown>): Promise<boolean> {
  return attempt.then(
    () => true,
    () => false,
  );
}
