import type { Problem } from './schema/outcome.js';
import { settings } from './declaration.js';
import type { Facts } from './schema/setting.js';

/** Rules between keys. They ask only which keys were written, so that a faulty value causes no second problem. */
export function crossCheck(isWritten: (key: string) => boolean, facts: Facts): Problem[] {
  return [
    ...checkDataKey(isWritten, facts),
    ...(hasMail(isWritten) ? checkMail(isWritten) : []),
    ...checkBundle(isWritten, facts),
    ...checkProjectKeys(isWritten, facts),
    ...checkSentinels(isWritten),
  ];
}

/** The interval of what tells that something lives, the time after which it counts as dead, and the unit of that in ms. */
const SIGNS_OF_LIFE = [
  ['timing.workers.heartbeat_ms', 'timing.workers.dead_after_ms', 1],
  ['timing.health.heartbeat_ms', 'timing.health.dead_after_ms', 1],
  ['timing.mail.renew_ms', 'timing.mail.lease_secs', 1_000],
] as const;

/** Rules between times, written or not. */
export function checkTimes(valueOf: (key: string) => unknown): Problem[] {
  const numberOf = (key: string): number => Number(valueOf(key) ?? settings.get(key)?.default);
  // A sign of life that may come late once must not look like a death.
  const tooShort = SIGNS_OF_LIFE.filter(
    ([sign, death, unitMs]) => numberOf(death) * unitMs < 2 * numberOf(sign),
  ).map(([sign, death]) => ({ key: death, reason: `must be at least twice ${sign}` }));
  return [...tooShort, ...checkFailingEndpoints(numberOf)];
}

/** How long an endpoint has failed is read from the figures by the hour. */
function checkFailingEndpoints(numberOf: (key: string) => number): Problem[] {
  const [key, kept] = ['timing.lives.failing_endpoint_days', 'timing.lives.figures_of_hours_days'];
  return numberOf(key) < numberOf(kept) ? [] : [{ key, reason: `must be less than ${kept}` }];
}

/** Mail is configured as soon as any of its keys is. */
export function hasMail(isWritten: (key: string) => boolean): boolean {
  return mailKeys.some(isWritten);
}

const mailKeys = [...settings.keys()].filter((key) => key.startsWith('identity.smtp.'));

function checkDataKey(isWritten: (key: string) => boolean, facts: Facts): Problem[] {
  if (!facts.hasExternalDatabase || isWritten('identity.data_key')) return [];
  const reason = 'is required when database.url is set; make one with: openssl rand -base64 32';
  return [{ key: 'identity.data_key', reason }];
}

function checkMail(isWritten: (key: string) => boolean): Problem[] {
  const problems = mailKeys
    .filter((key) => settings.get(key)?.isRequired && !isWritten(key))
    .map((key) => ({ key, reason: 'is required when any key of identity.smtp is set' }));
  const hasUser = isWritten('identity.smtp.user');
  const hasPassword = isWritten('identity.smtp.password');
  if (hasUser === hasPassword) return problems;
  const [key, other] = hasUser ? ['password', 'user'] : ['user', 'password'];
  const reason = `is required when identity.smtp.${other} is set; set both or neither`;
  return [...problems, { key: `identity.smtp.${key}`, reason }];
}

/** Sentinels are asked for a name, which is the host of `redis.url`. */
function checkSentinels(isWritten: (key: string) => boolean): Problem[] {
  if (!isWritten('redis.sentinels') || isWritten('redis.url')) return [];
  const reason =
    'is required when redis.sentinels is set, such as redis://:password@mymaster, with the name of the primary as its host';
  return [{ key: 'redis.url', reason }];
}

/** Where the private keys of projects are: the embedded default alone has a place that is sure to be kept. */
function checkProjectKeys(
  isWritten: (key: string) => boolean,
  { profile, hasExternalDatabase }: Facts,
): Problem[] {
  const [hasFolder, hasOne] = [isWritten('auth.jwt_dir'), isWritten('auth.jwt_pem')];
  if (hasFolder && hasOne)
    return [{ key: 'auth.jwt_pem', reason: 'cannot stand beside auth.jwt_dir; set one of them' }];
  if (profile !== 'project' || !hasExternalDatabase || hasFolder || hasOne) return [];
  const reason = 'is required in profile project when database.url is set (or auth.jwt_pem)';
  return [{ key: 'auth.jwt_dir', reason }];
}

function checkBundle(isWritten: (key: string) => boolean, { profile }: Facts): Problem[] {
  const [owner, stranger] =
    profile === 'organization'
      ? ['jobs.bundle_org', 'jobs.bundle_project']
      : ['jobs.bundle_project', 'jobs.bundle_org'];
  const problems: Problem[] = [];
  if (isWritten('jobs.bundle_dir') && !isWritten(owner)) {
    problems.push({ key: owner, reason: `is required in profile ${profile} when jobs.bundle_dir is set` });
  }
  if (isWritten(stranger)) {
    problems.push({ key: stranger, reason: `has no meaning in profile ${profile}; use ${owner}` });
  }
  return problems;
}
