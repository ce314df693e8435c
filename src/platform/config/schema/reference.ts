import path from 'node:path';
import { isDecoded, readTextFile } from '../../text/index.js';
import { accepted, refused } from './outcome.js';
import type { Outcome } from './outcome.js';

const REFERENCE = /^(env|file):(.*)$/s;

/** Whether the text refers to a value stored elsewhere: `env:NAME` or `file:PATH`. */
export function isReference(text: string): boolean {
  return REFERENCE.test(text);
}

/** The variable that an `env:NAME` reference names, else null. */
export function referencedVariable(text: string): string | null {
  const [, scheme, target] = REFERENCE.exec(text) ?? [];
  return scheme === 'env' && target ? target : null;
}

/** Follows a reference, once: what it leads to is taken literally. Any other text is returned as it is. */
export function resolveReference(text: string, env: NodeJS.ProcessEnv, cwd: string): Outcome<string> {
  const [, scheme, target] = REFERENCE.exec(text) ?? [];
  if (scheme === undefined || target === undefined) return accepted(text);
  if (target === '') return refused(`names nothing; write ${scheme === 'env' ? 'env:NAME' : 'file:PATH'}`);
  return scheme === 'env' ? fromVariable(target, env) : fromFile(target, cwd);
}

function fromVariable(name: string, env: NodeJS.ProcessEnv): Outcome<string> {
  const value = env[name];
  return value ? accepted(value) : refused(`refers to the variable ${name}, which is not set; set it`);
}

function fromFile(file: string, cwd: string): Outcome<string> {
  try {
    // Editors and `echo` end a file with a newline, which is not part of the secret.
    const text = readTextFile(path.resolve(cwd, file));
    if (!isDecoded(text))
      return refused(`refers to the file ${file}, which ${text.problem}; save it as UTF-8`);
    return accepted(text.text.replace(/\r?\n$/, ''));
  } catch (error) {
    return refused(`refers to the file ${file}, which cannot be read (${errorCode(error)})`);
  }
}

/** The system's short name of a failure, such as ENOENT. */
export function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error
    ? String(error.code)
    : 'unknown error';
}
