import { declaration } from './declaration.js';
import { isTimingSection } from './sections/timing/index.js';
import type { Section, Setting } from './schema/setting.js';

const HEADER = `# Configuration. Copy to service.toml (or name the copy in SERVICE_CONFIG) and uncomment what you change.
#
# A variable SERVICE_<SECTION>__<KEY> overrides a key: SERVICE_SERVER__PORT, SERVICE_IDENTITY__SMTP__HOST,
# SERVICE_FUNCTIONS__HANDLERS__<name>. In a variable, a list is items with commas between, or a JSON array.
# A string "env:NAME" or "file:PATH" stands for the content of that variable or file.
# SERVICE_ROLE, a variable only, says what an instance does: all (the default), or a list of api, worker, scheduler.
`;

const TIMING = `# What follows are the intervals, deadlines and lives of the program. Most are there for tests. docs/operating.md,
# "Intervals and deadlines", names those that an operator has a reason to change.
`;

/** The text of service.example.toml: every key with its meaning, type and default, all commented out. */
export function renderExampleConfig(): string {
  const rendered = Object.entries(declaration).map(([name, section]) => renderSection(name, section));
  const firstOfTiming = Object.keys(declaration).findIndex(isTimingSection);
  return [HEADER, ...rendered.toSpliced(firstOfTiming, 0, TIMING)].join('\n');
}

function renderSection(name: string, { doc, settings }: Section): string {
  const keys = Object.entries(settings).map(([key, setting]) => renderSetting(key, setting));
  return [`# ${doc}`, `[${name}]`, '', keys.join('\n')].join('\n');
}

function renderSetting(key: string, setting: Setting<unknown>): string {
  const { doc, kind, hasEntries, example } = setting;
  const shape = hasEntries ? `a table in which each value is ${kind.shape}` : kind.shape;
  const secrecy = kind.secrecy === 'whole' ? ' Secret.' : '';
  return [
    `# ${doc}`,
    `# Value: ${shape}.${secrecy}`,
    `# ${renderDefault(setting)}`,
    `# ${key} = ${toml(example ?? setting.default)}`,
    '',
  ].join('\n');
}

function renderDefault({ default: value, exception, isRequired, example }: Setting<unknown>): string {
  if (isRequired) return 'Required in this section. Example:';
  if (example !== undefined) return 'No default. Example:';
  return `Default: ${toml(value)}${exception ? `, or ${toml(exception.value)} ${exception.when.wording}` : ''}.`;
}

function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, each]) => `${name} = ${toml(each)}`);
    return `{ ${entries.join(', ')} }`;
  }
  // JSON writes strings, integers and booleans as TOML does.
  return JSON.stringify(value);
}
