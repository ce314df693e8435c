import { readFileSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { GeneratedSecrets } from './generated-secrets.js';

/** A data folder as it is, looked at without making anything in it. */
export interface DataFolder {
  readonly path: string;
  /** Files and folders with secrets that other accounts of the machine may read. */
  readonly open: readonly string[];
  /** Secrets that are gone, although the database was made with them. */
  readonly missing: readonly string[];
  /** Secrets that this process may not read. */
  readonly closed: readonly string[];
  readonly secrets: { readonly [Name in keyof GeneratedSecrets]: string | null };
  readonly hasRedisPassword: boolean;
  readonly freeBytes: number;
}

const SECRETS = ['data_key', 'admin_token', 'postgres_password', 'redis_password'] as const;
/** Without them there is no way to the database, or into its sealed columns. Others are made again. */
const NEEDED: ReadonlySet<string> = new Set(['data_key', 'postgres_password']);
const OTHERS_MAY_READ = 0o044;

/**
 * @param hasDatabase whether the program's own PostgreSQL lies there, which needs its secrets
 * @returns null where there is no such folder yet
 */
export async function inspectDataFolder(dataDir: string, hasDatabase: boolean): Promise<DataFolder | null> {
  const space = await statfs(dataDir).catch(() => null);
  if (space === null) return null;
  const folder = join(dataDir, 'secrets');
  const files = SECRETS.map((name) => ({ name, path: join(folder, name) }));
  const paths = [folder, ...files.map(({ path }) => path)];
  return {
    path: dataDir,
    // Files in a folder that is closed are closed too.
    open: isOpen(folder) ? paths.filter(isOpen) : [],
    missing: files.filter(({ name, path }) => hasDatabase && NEEDED.has(name) && isGone(path)).map(pathOf),
    closed: files.filter(({ path }) => read(path) === null && !isGone(path)).map(pathOf),
    secrets: { dataKey: read(join(folder, 'data_key')), adminToken: read(join(folder, 'admin_token')) },
    hasRedisPassword: read(join(folder, 'redis_password')) !== null,
    freeBytes: space.bavail * space.bsize,
  };
}

function isOpen(path: string): boolean {
  try {
    return (statSync(path).mode & OTHERS_MAY_READ) !== 0;
  } catch {
    return false;
  }
}

function pathOf({ path }: { readonly path: string }): string {
  return path;
}

/** Null for a file that is empty, not there, or not for this process to read. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch {
    return null;
  }
}

/** Whether a file is empty or not there. */
function isGone(path: string): boolean {
  try {
    return statSync(path).size === 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
