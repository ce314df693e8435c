import { join } from 'node:path';
import { ConfigError } from './schema/outcome.js';
import type { Problem } from './schema/outcome.js';
import { readConfigFile, readTable } from './sources/config-file.js';
import type { Config } from './config.js';
import { checkTimes, crossCheck, hasMail } from './cross-checks.js';
import { declaration } from './declaration.js';
import { timing } from './sections/timing/index.js';
import { Reading } from './sources/reading.js';
import type { Given } from './sources/reading.js';
import { referencedVariable, resolveReference } from './schema/reference.js';
import { parseRoles } from './config.js';
import type { Facts, Section, WrittenSettings } from './schema/setting.js';
import { readVariables, unknownVariable } from './sources/variables.js';

export interface LoadOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/**
 * Reads the file and the variables, which win, into the configuration. Throws `ConfigError` with every problem.
 * This is the only place that knows the environment of the process.
 */
export function loadConfig({ env = process.env, cwd = process.cwd() }: Partial<LoadOptions> = {}): Config {
  const problems: Problem[] = [];
  const roles = parseRoles(env.SERVICE_ROLE);
  if (!roles.ok) problems.push({ key: 'SERVICE_ROLE', reason: roles.reason });

  const file = readConfigFile(env, cwd);
  if ('problem' in file) problems.push(file.problem);
  const written = 'table' in file ? readTable(file.table, problems) : [];

  const given = new Map<string, Given>();
  for (const [key, value] of written) given.set(key, { ...value, variable: null });
  const variables = readVariables(env);
  for (const { key, variable, text } of variables.known)
    given.set(key, { value: text, as: 'text', variable });

  // A variable that a reference names is no typing error, whatever it is called.
  const referenced = new Set<string>();
  const resolve = (text: string): ReturnType<typeof resolveReference> => {
    const name = referencedVariable(text);
    if (name !== null) referenced.add(name);
    return resolveReference(text, env, cwd);
  };

  const reading = new Reading(given, { cwd, resolve });
  problems.push(...reading.check());
  const isWritten = (key: string): boolean => given.has(key);
  const facts: Facts = {
    hasExternalDatabase: isWritten('database.url'),
    profile: reading.value('identity.profile') === 'project' ? 'project' : 'organization',
  };
  // What an unreadable file says is unknown: nothing can be called missing, and no variable unknown.
  if ('table' in file) {
    problems.push(...variables.unknown.filter((name) => !referenced.has(name)).map(unknownVariable));
    problems.push(...crossCheck(isWritten, facts));
    problems.push(...checkTimes((key) => reading.value(key)));
  }
  if (problems.length > 0 || !roles.ok) throw new ConfigError(problems);

  const smtp = hasMail(isWritten)
    ? reading.section('identity.smtp', declaration['identity.smtp'], facts)
    : null;
  const jobs = reading.section('jobs', declaration.jobs, facts);
  const functions = reading.section('functions', declaration.functions, facts);
  return Object.freeze({
    roles: roles.value,
    written: sourcesOf(given),
    server: reading.section('server', declaration.server, facts),
    database: reading.section('database', declaration.database, facts),
    redis: reading.section('redis', declaration.redis, facts),
    identity: Object.freeze({
      ...reading.section('identity', declaration.identity, facts),
      smtp,
      passkeys: reading.section('identity.passkeys', declaration['identity.passkeys'], facts),
      brand: reading.section('identity.brand', declaration['identity.brand'], facts),
    }),
    auth: reading.section('auth', declaration.auth, facts),
    jobs,
    functions: Object.freeze({ ...functions, dir: functions.dir ?? bundledFunctions(jobs.bundleDir) }),
    limits: reading.section('limits', declaration.limits, facts),
    audit: reading.section('audit', declaration.audit, facts),
    admin: reading.section('admin', declaration.admin, facts),
    console: reading.section('console', declaration.console, facts),
    log: reading.section('log', declaration.log, facts),
    telemetry: reading.section('telemetry', declaration.telemetry, facts),
    timing: readTiming(reading, facts),
  });
}

function readTiming(reading: Reading, facts: Facts): Config['timing'] {
  const groups = Object.entries<Section>(timing).map(([group, section]) => [
    group,
    reading.section(`timing.${group}`, section, facts),
  ]);
  // By definition, as in Reading.section.
  return Object.freeze(Object.fromEntries(groups)) as Config['timing'];
}

function sourcesOf(given: ReadonlyMap<string, Given>): WrittenSettings {
  const sources: Record<string, 'file' | 'env'> = {};
  for (const [key, { variable }] of given) sources[key] = variable === null ? 'file' : 'env';
  return Object.freeze(sources);
}

/** A deploy bundle brings its functions along. */
function bundledFunctions(bundleDir: string | null): string | null {
  return bundleDir === null ? null : join(bundleDir, 'functions');
}
