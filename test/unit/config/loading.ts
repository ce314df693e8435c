import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach } from '@jest/globals';
import { ConfigError, loadConfig } from '../../../src/platform/config/index.js';
import type { Config, Problem } from '../../../src/platform/config/index.js';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** 32 bytes in base64. */
export const DATA_KEY = Buffer.alloc(32, 7).toString('base64');

/** A working directory of its own with the given files. */
export function folderWith(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'config-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
  return folder;
}

/** Loads with nothing but the given variables and `service.toml`. */
export function load(env: NodeJS.ProcessEnv = {}, toml?: string): Config {
  return loadConfig({ env, cwd: folderWith(toml === undefined ? {} : { 'service.toml': toml }) });
}

/** The error of a load that must fail. */
export function failure(attempt: () => unknown): ConfigError {
  try {
    attempt();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('The configuration was accepted');
}

export function problemsOf(env: NodeJS.ProcessEnv, toml?: string): readonly Problem[] {
  return failure(() => load(env, toml)).problems;
}

export function faultyKeys(env: NodeJS.ProcessEnv, toml?: string): string[] {
  return problemsOf(env, toml).map(({ key }) => key);
}
