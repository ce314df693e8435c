import pTimeout, { TimeoutError } from 'p-timeout';
import { ConfigError, loadConfig } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { greetMailServer, MailFailedError } from '../../../platform/mail/index.js';
import type { Terminal } from '../../../../servicectl/src/index.js';
import { checkDatabase, DATABASE_CHECKS } from './database-checks.js';
import type { DatabaseChecks } from './database-checks.js';
import { deploymentOf } from './deployment-facts.js';
import type { DeploymentFacts } from './deployment-facts.js';
import { collectorAnswer } from './facts/collector.js';
import { answererAt } from './facts/public-url.js';
import { redisState } from './facts/redis.js';
import { problem } from './finding.js';
import type { Verdict } from './finding.js';
import { judgeCollector } from './judgements/collector.js';
import { judgeDataFolder } from './judgements/data-folder.js';
import { judgeMail, judgeMailAbsence } from './judgements/mail.js';
import { judgeClock } from './judgements/postgres.js';
import { judgeRedis, judgeRedisFailure } from './judgements/redis.js';
import { judgeProblems, judgePublicAnswer, judgeSettings } from './judgements/settings.js';
import type { MailSender } from './judgements/settings.js';
import { report } from './report.js';
import type { Check } from './report.js';

/** The longest that one check may take; each of its connections and statements has a shorter limit of its own. */
const CHECK_LIMIT_MS = 15_000;

/**
 * Examines the deployment and says what to do about each finding. It changes nothing, and a server that is away is a
 * finding. @throws CommandError where there is a problem, or no deployment
 */
export async function examine(terminal: Terminal): Promise<void> {
  report(terminal, await allChecks());
}

async function allChecks(): Promise<Check[]> {
  let given: Config;
  try {
    given = loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const skipped = 'the configuration is faulty';
    const others = [...DATABASE_CHECKS, 'Redis', 'mail', 'clock'].map((name) => ({ name, skipped }));
    return [{ name: 'settings', ...judgeProblems(error.problems) }, ...others];
  }
  const deployment = await deploymentOf(given);
  const { config, profile } = deployment;
  const mailSender: MailSender =
    profile === 'project' ? 'projects' : config.identity.smtp === null ? 'nobody' : 'deployment';
  const [database, { redis, skewMs }, mail, publicUrl, collector] = await Promise.all([
    checkDatabase(deployment, examined),
    checkRedis(deployment),
    checkMail(deployment),
    checkPublicUrl(config),
    checkCollector(config),
  ]);
  return [
    { name: 'settings', ...judgeSettings(config, mailSender) },
    ...publicUrl,
    ...(deployment.dataFolder === null
      ? []
      : [{ name: 'data folder', ...judgeDataFolder(deployment.dataFolder) }]),
    ...database.checks,
    redis,
    ...mail,
    ...collector,
    clockCheck(database, skewMs),
  ];
}

/** Makes a check within its time; what it throws is a finding, too. */
export async function examined(name: string, work: () => Promise<Verdict>): Promise<Check> {
  try {
    return { name, ...(await pTimeout(work(), { milliseconds: CHECK_LIMIT_MS })) };
  } catch (error) {
    const isLate = error instanceof TimeoutError;
    const reason = isLate
      ? `did not end within ${CHECK_LIMIT_MS / 1_000} s`
      : `failed: ${error instanceof Error ? error.message : String(error)}`;
    const finding = problem(
      isLate ? 'check_timed_out' : 'check_failed',
      `the check of ${name} ${reason}`,
      'See whether the server is overloaded, then run servicectl doctor again',
    );
    return { name, findings: [finding], summary: '' };
  }
}

async function checkRedis({
  config,
  redisUrl,
}: DeploymentFacts): Promise<{ redis: Check; skewMs: number | null }> {
  if (redisUrl === null)
    return {
      redis: { name: 'Redis', skipped: 'the program runs its own, and does not run now' },
      skewMs: null,
    };
  let skewMs: number | null = null;
  const redis = await examined('Redis', async () => {
    const state = await redisState({ ...config.redis, url: redisUrl });
    if ('failure' in state) return judgeRedisFailure(state.server, state.failure);
    skewMs = state.skewMs;
    return judgeRedis(state.server, state.info);
  });
  return { redis, skewMs };
}

/** Projects name mail servers of their own, which their test messages try. */
async function checkMail({ profile, config }: DeploymentFacts): Promise<Check[]> {
  const { smtp } = config.identity;
  if (profile === 'project') return [];
  const check = await examined('mail', async () => {
    if (smtp === null) return judgeMailAbsence();
    const server = `${smtp.host}:${smtp.port}`;
    try {
      await greetMailServer(smtp);
      return judgeMail(server, null);
    } catch (error) {
      if (!(error instanceof MailFailedError)) throw error;
      return judgeMail(server, error.reason);
    }
  });
  return [check];
}

async function checkPublicUrl({ identity: { publicUrl } }: Config): Promise<Check[]> {
  if (publicUrl === null) return [];
  return [
    await examined('public URL', async () => judgePublicAnswer(publicUrl, await answererAt(publicUrl))),
  ];
}

async function checkCollector({ telemetry: { otlpUrl, otlpHeaders } }: Config): Promise<Check[]> {
  if (otlpUrl === null) return [];
  return [
    await examined('collector', async () =>
      judgeCollector(otlpUrl, await collectorAnswer({ otlpUrl, otlpHeaders })),
    ),
  ];
}

function clockCheck({ skewMs }: DatabaseChecks, redisSkewMs: number | null): Check {
  const skews = Object.entries({ PostgreSQL: skewMs, Redis: redisSkewMs }).flatMap(([server, skew]) =>
    skew === null ? [] : [[server, skew] as const],
  );
  if (skews.length === 0) return { name: 'clock', skipped: 'neither PostgreSQL nor Redis answers' };
  return { name: 'clock', ...judgeClock(Object.fromEntries(skews)) };
}
