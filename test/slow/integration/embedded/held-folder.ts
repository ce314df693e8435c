import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import pg from 'pg';
import { startEmbedded } from '../../../../src/platform/embedded/index.js';
import type { EmbeddedServers } from '../../../../src/platform/embedded/index.js';

/** A data folder, and all that a test starts in it, so that nothing of it is left when the test file ends. */
export class HeldFolder {
  readonly logged: string[] = [];
  readonly #servers: EmbeddedServers[] = [];
  readonly #programs: ChildProcess[] = [];

  private constructor(readonly path: string) {}

  static async make(): Promise<HeldFolder> {
    return new HeldFolder(await mkdtemp(join(tmpdir(), 'service-embedded-')));
  }

  async start(
    wanted: { postgres: boolean; redis: boolean } = { postgres: true, redis: true },
  ): Promise<RunningServers> {
    const servers = await startEmbedded({
      dataDir: this.path,
      ...wanted,
      log: ({ message }) => this.logged.push(message),
    });
    this.#servers.push(servers);
    return servers as RunningServers;
  }

  /** Another process that holds the folder's servers. */
  async startProgram(): Promise<ChildProcess> {
    const script = fileURLToPath(new URL('embedded-program.mjs', import.meta.url));
    const program = spawn(process.execPath, [script, this.path], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#programs.push(program);
    await once(createInterface({ input: program.stdout }), 'line');
    return program;
  }

  postgresPid(): number {
    return Number.parseInt(readFileSync(join(this.path, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  }

  redisPid(): number {
    return Number.parseInt(readFileSync(join(this.path, 'redis', 'redis.pid'), 'utf8'), 10);
  }

  async remove(): Promise<void> {
    for (const servers of this.#servers) await servers.stop();
    for (const program of this.#programs) await kill(program);
    await rm(this.path, { recursive: true, force: true });
  }
}

export type RunningServers = EmbeddedServers & { postgresUrl: string; redisUrl: string };

export async function kill(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const ended = once(program, 'exit');
  program.kill('SIGKILL');
  await ended;
}

export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

export async function withRedis<T>(url: string, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url);
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

export async function eventually(claim: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not within 10 s: ${claim}`);
    await delay(50);
  }
}

/** False also for one that is dead but not reaped. */
export function isRunning(pid: number): boolean {
  return processes().some((process) => process.pid === pid && !process.state.startsWith('Z'));
}

export function processes(): { pid: number; parent: number; state: string; command: string }[] {
  const rows = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,command='], { encoding: 'utf8' });
  return rows
    .trim()
    .split('\n')
    .map((row) => {
      const [pid, parent, state = '', ...command] = row.trim().split(/\s+/);
      return { pid: Number(pid), parent: Number(parent), state, command: command.join(' ') };
    });
}
