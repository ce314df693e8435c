import { existsSync } from 'node:fs';
import path from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { isDecoded, readTextFile } from '../../text/index.js';
import type { Problem } from '../schema/outcome.js';
import { isSection, sections, settings, suggestion } from '../declaration.js';
import type { Written } from '../schema/kind.js';
import { errorCode } from '../schema/reference.js';

type Table = Readonly<Record<string, unknown>>;

/** The file as a tree, or the problem that keeps it from being one. */
export type ConfigFile = { readonly table: Table } | { readonly problem: Problem };

const DEFAULT_FILE = 'service.toml';

/** Reads the file that SERVICE_CONFIG names, else `service.toml` of the working directory if there is one. */
export function readConfigFile(env: NodeJS.ProcessEnv, cwd: string): ConfigFile {
  const named = env.SERVICE_CONFIG;
  const file = path.resolve(cwd, named || DEFAULT_FILE);
  if (!named && !existsSync(file)) return { table: {} };
  try {
    const text = readTextFile(file);
    if (!isDecoded(text))
      return { problem: { key: named || DEFAULT_FILE, reason: `${text.problem}; save it as UTF-8` } };
    return { table: parse(text.text, { integersAsBigInt: true }) };
  } catch (error) {
    if (error instanceof TomlError) return { problem: { key: named || DEFAULT_FILE, reason: syntax(error) } };
    const reason = `${named || DEFAULT_FILE} cannot be read (${errorCode(error)}); name a TOML file that exists`;
    return { problem: { key: named ? 'SERVICE_CONFIG' : DEFAULT_FILE, reason } };
  }
}

/** The parser's own message goes on to quote the lines around the error, which may hold secrets. */
function syntax(error: TomlError): string {
  const [firstLine = ''] = error.message.split('\n');
  return `line ${error.line}, column ${error.column}: ${firstLine}`;
}

/** What the file gives, by full key; what it cannot give goes to `problems`. */
export function readTable(table: Table, problems: Problem[]): Map<string, Written> {
  const found = new Map<string, Written>();
  walk(table, '', found, problems);
  return found;
}

function walk(table: Table, prefix: string, found: Map<string, Written>, problems: Problem[]): void {
  for (const [name, value] of Object.entries(table)) {
    const key = prefix + name;
    // A dot inside a quoted name does not nest.
    const isPlain = !name.includes('.');
    const setting = isPlain ? settings.get(key) : undefined;
    if (isPlain && isSection(key)) {
      if (isTable(value)) walk(value, `${key}.`, found, problems);
      else problems.push({ key, reason: `must be a section; write [${key}] and its keys below` });
    } else if (setting?.hasEntries) {
      if (isTable(value)) addEntries(value, key, found);
      else problems.push({ key, reason: `must be a table; write [${key}] and its entries below` });
    } else if (setting) {
      found.set(key, { value, as: 'toml' });
    } else {
      problems.push(unknown(key, prefix, value));
    }
  }
}

function addEntries(table: Table, key: string, found: Map<string, Written>): void {
  for (const [name, value] of Object.entries(table)) found.set(`${key}.${name}`, { value, as: 'toml' });
}

function unknown(key: string, prefix: string, value: unknown): Problem {
  if (prefix === '' && !isTable(value)) {
    return { key, reason: 'stands outside of every section; move it below the [section] of its key' };
  }
  if (isTable(value)) {
    return { key, reason: `is not a section.${suggestion(key, sections.keys())} Remove or rename it` };
  }
  const siblings = [...settings.keys()].filter((each) => each.startsWith(prefix));
  return { key, reason: `is not a known key.${suggestion(key, siblings)} Remove or rename it` };
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
