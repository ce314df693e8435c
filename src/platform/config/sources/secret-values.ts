import { sectionOf } from '../config.js';
import type { Config } from '../config.js';
import { declaration } from '../declaration.js';
import type { SectionName } from '../declaration.js';
import type { Kind } from '../schema/kind.js';
import { serverUrls } from '../schema/server-urls.js';
import { camelCase } from '../schema/setting.js';
import type { Section } from '../schema/setting.js';

const sectionNames = Object.keys(declaration) as SectionName[];

/**
 * Every secret of the configuration, for redaction: secret keys, the passwords inside addresses (as written and
 * decoded), and each line of a secret of several lines, because a log line shows its newlines escaped.
 */
export function secretValues(config: Config): string[] {
  const found = new Set<string>();
  for (const name of sectionNames) {
    const values = sectionOf(config, name);
    if (values === null) continue;
    const section: Section = declaration[name];
    for (const [key, { kind }] of Object.entries(section.settings)) {
      for (const text of stringsIn(values[camelCase(key)])) {
        for (const secret of secretsOf(text, kind)) found.add(secret);
      }
    }
  }
  return [...found].filter((secret) => secret !== '');
}

function secretsOf(text: string, kind: Kind<unknown>): string[] {
  switch (kind.secrecy) {
    case 'open':
      return [];
    case 'password':
      return passwordsIn(text);
    case 'whole':
      return [text, ...linesOf(text), ...passwordsIn(text)];
  }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** The lines between the armour of a PEM. The armour itself is not secret. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.length > 1 ? lines.filter((line) => !line.startsWith('-----')) : [];
}

/** The password before the host, and the one in the query, which PostgreSQL takes too. */
function passwordsIn(text: string): string[] {
  const [address] = serverUrls(text);
  if (!URL.canParse(address)) return [];
  const { password, searchParams } = new URL(address);
  return [password, decoded(password), ...searchParams.getAll('password')];
}

function decoded(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
