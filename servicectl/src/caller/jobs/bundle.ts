import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Manifest } from '../../../../client/src/index.js';
import { CommandError } from '../../command-error.js';
import { textOfFile } from '../text-file.js';

const MANIFEST = 'jobs.json';
const FUNCTION = /^(.+)\.(?:mjs|ts)$/;

/** A deploy bundle: a folder with `jobs.json` and `functions/`. */
export interface Bundle {
  readonly manifest: Manifest;
  /** The manifest as it was written: numbers keep their digits. */
  readonly text: string;
  /** Files of `functions/` by the name of the function. */
  readonly functionFiles: ReadonlyMap<string, string>;
}

/** @param path the folder, or its manifest. @throws CommandError when the manifest is missing or is not JSON */
export async function readBundle(path: string): Promise<Bundle> {
  const isFolder = (await stat(path).catch(() => null))?.isDirectory() ?? !path.endsWith('.json');
  const file = isFolder ? join(path, MANIFEST) : path;
  const text = textOfFile(file);
  return { manifest: parseManifest(file, text), text, functionFiles: await functionFiles(dirname(file)) };
}

function parseManifest(file: string, text: string): Manifest {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const isManifest =
    typeof manifest === 'object' && manifest !== null && 'jobs' in manifest && Array.isArray(manifest.jobs);
  if (!isManifest) throw new CommandError(`${file} is not a manifest: it has no list "jobs"`);
  // Of the rest the server has the last word.
  return manifest as Manifest;
}

async function functionFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(join(folder, 'functions')).catch(() => []);
  return new Map(
    names.flatMap((name) => {
      const handler = FUNCTION.exec(name)?.[1];
      return handler === undefined ? [] : [[handler, join(folder, 'functions', name)] as const];
    }),
  );
}
