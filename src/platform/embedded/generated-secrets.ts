import { randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { asEmbeddedError, EmbeddedError } from './processes/embedded-error.js';

const DATA_KEY_BYTES = 32;

export interface GeneratedSecrets {
  /** 32 random bytes in base64. */
  dataKey: string;
  adminToken: string;
}

/**
 * Reads the data key and the admin token under `<dataDir>/secrets`, making each once. Losing the data key
 * loses all that was encrypted with it, so a file that no longer holds one is an EmbeddedError, never replaced.
 */
export function ensureGeneratedSecrets(dataDir: string): GeneratedSecrets {
  const dataKey = ensureSecret(dataDir, 'data_key', () => randomBytes(DATA_KEY_BYTES).toString('base64'));
  if (Buffer.from(dataKey, 'base64').length !== DATA_KEY_BYTES) {
    throw new EmbeddedError(
      `${join(dataDir, 'secrets', 'data_key')} does not hold 32 bytes in base64; restore it from a backup`,
    );
  }
  return { dataKey, adminToken: ensureSecret(dataDir, 'admin_token', randomSecret) };
}

/** A password for a server of our own; it goes into URLs and configuration files, so it needs no quoting. */
export function ensureServerPassword(dataDir: string, server: 'postgres' | 'redis'): string {
  return ensureSecret(dataDir, `${server}_password`, randomSecret);
}

function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

function ensureSecret(dataDir: string, name: string, make: () => string): string {
  try {
    return readOrMakeSecret(dataDir, name, make);
  } catch (error) {
    throw asEmbeddedError(error, dataDir);
  }
}

function readOrMakeSecret(dataDir: string, name: string, make: () => string): string {
  const folder = join(dataDir, 'secrets');
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const existing = readSecret(path);
  if (existing !== null) return existing;

  chmodSync(folder, 0o700);
  const temporary = join(folder, `.${name}.${randomUUID()}`);
  try {
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeSync(file, `${make()}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    // Of several programs that make it at once the first link stays, and all read that one.
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  const made = readSecret(path);
  if (made === null) throw new EmbeddedError(`${path} vanished while it was being made; start again`);
  return made;
}

function readSecret(path: string): string | null {
  let content: string;
  try {
    content = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  if (content === '') throw new EmbeddedError(`${path} is empty; restore it from a backup`);
  return content;
}
