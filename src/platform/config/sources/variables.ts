import type { Problem } from '../schema/outcome.js';
import { isSection, settings, variableOf, suggestion } from '../declaration.js';

const PREFIX = 'SERVICE_';
const SINGLE_NAMES = ['SERVICE_ROLE', 'SERVICE_CONFIG'];
/** Variables of the command line, which may be set in the shell that starts the program. */
const CALLERS_NAMES = ['SERVICE_URL', 'SERVICE_API_KEY', 'SERVICE_CLI_CONFIG'];

const keysByVariable: ReadonlyMap<string, string> = new Map(
  [...settings].filter(([, { hasEntries }]) => !hasEntries).map(([key]) => [variableOf(key), key]),
);

/** Keys with entries; the variable of an entry is the key's, `__` and the entry's name as it is. */
const entryKeys = [...settings].filter(([, { hasEntries }]) => hasEntries).map(([key]) => key);

/** A variable that gives a key. */
export interface KeyVariable {
  readonly key: string;
  readonly variable: string;
  readonly text: string;
}

/** The variables of the product, classified; an empty variable counts as unset. */
export interface Variables {
  readonly known: readonly KeyVariable[];
  readonly unknown: readonly string[];
}

export function readVariables(env: NodeJS.ProcessEnv): Variables {
  const known: KeyVariable[] = [];
  const unknown: string[] = [];
  for (const [variable, text] of Object.entries(env)) {
    if (!text || !variable.startsWith(PREFIX) || SINGLE_NAMES.includes(variable)) continue;
    if (CALLERS_NAMES.includes(variable)) continue;
    const key = keysByVariable.get(variable) ?? entryKeyOf(variable);
    if (key === undefined) unknown.push(variable);
    else known.push({ key, variable, text });
  }
  return { known, unknown };
}

function entryKeyOf(variable: string): string | undefined {
  for (const key of entryKeys) {
    const prefix = `${variableOf(key)}__`;
    if (variable.startsWith(prefix) && variable.length > prefix.length) {
      return `${key}.${variable.slice(prefix.length)}`;
    }
  }
  return undefined;
}

/** Kubernetes puts the address of every Service object into the environment of every pod. */
const SERVICE_LINK = /_(PORT|HOST)(_|$)/;

/** The fault of a variable that gives nothing, so that a typing error does not pass silently. */
export function unknownVariable(variable: string): Problem {
  const meant = suggestion(variable.toUpperCase(), [...keysByVariable.keys(), ...SINGLE_NAMES]);
  if (!variable.includes('__')) {
    const links = SERVICE_LINK.test(variable)
      ? ' If Kubernetes set it, put enableServiceLinks: false into the pod.'
      : '';
    const reason = `is not a variable of this program; variables are named SERVICE_<SECTION>__<KEY>.${meant}${links} Unset it`;
    return { key: variable, reason };
  }
  const key = variable.slice(PREFIX.length).toLowerCase().replaceAll('__', '.');
  if (entryKeys.includes(key)) {
    const reason = `is a table; set ${variableOf(key)}__<name> for each entry instead of the variable ${variable}`;
    return { key, reason };
  }
  const sectionIsKnown = isSection(key.split('.')[0] ?? '');
  const fault = sectionIsKnown ? 'is not a known key' : 'is in an unknown section';
  return { key, reason: `${fault} (the variable ${variable}).${meant} Unset or rename it` };
}
