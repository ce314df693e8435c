import { isSupportedRedis, OLDEST_REDIS } from '../../../../platform/embedded/index.js';
import { evictingPolicyOf, redisInfoField } from '../../../../platform/queue/index.js';
import type { RedisFailure } from '../../../../platform/queue/index.js';
import type { FindingCode } from '../finding-codes.js';
import { problem, those, warning } from '../finding.js';
import type { Verdict } from '../finding.js';

/** From this share of `maxmemory` on, Redis is about to refuse wake-ups. */
const FULL_SHARE = 0.9;

/** @param info what INFO says; null where the account may not run it */
export function judgeRedis(server: string, info: string | null): Verdict {
  if (info === null)
    return {
      findings: [
        warning(
          'redis_info_denied',
          `the account may not run INFO on Redis at ${server}: its version and policy cannot be checked`,
          'Allow it with ACL SETUSER <user> +info, and make sure that maxmemory-policy is noeviction',
        ),
      ],
      summary: server,
    };
  const version = redisInfoField(info, 'redis_version') ?? '';
  const policy = evictingPolicyOf(info);
  const [used, limit] = ['used_memory', 'maxmemory'].map((name) => Number(redisInfoField(info, name) ?? 0));
  const findings = those(
    version !== '' &&
      !isSupportedRedis(version) &&
      problem(
        'redis_too_old',
        `Redis at ${server} is ${version}, and the program needs ${OLDEST_REDIS} or newer`,
        `Upgrade Redis to ${OLDEST_REDIS} or newer, or use Valkey`,
      ),
    policy !== null &&
      problem(
        'redis_evicts',
        `Redis at ${server} has maxmemory-policy ${policy}: it may drop wake-ups and the locks of running work`,
        'Set maxmemory-policy noeviction in redis.conf, and run: redis-cli CONFIG SET maxmemory-policy noeviction',
      ),
    redisInfoField(info, 'role') === 'slave' &&
      problem(
        'redis_replica',
        `Redis at ${server} is a replica, which takes no writes`,
        'Set redis.url (SERVICE_REDIS__URL) to the primary server',
      ),
    (limit ?? 0) > 0 &&
      (used ?? 0) > FULL_SHARE * (limit ?? 0) &&
      problem(
        'redis_full',
        `Redis at ${server} has used its maxmemory: it is about to refuse wake-ups, or does already`,
        'Raise maxmemory, or move what else is in this Redis to one of its own',
      ),
  );
  return { findings, summary: `${version} at ${server}` };
}

const FAILURES: Readonly<Record<RedisFailure['kind'], readonly [code: FindingCode, remedy: string]>> = {
  password: ['redis_password_refused', 'Correct the user and the password in redis.url (SERVICE_REDIS__URL)'],
  permission: [
    'redis_account_restricted',
    'Allow the account all commands on its keys: ACL SETUSER <user> ~* +@all',
  ],
  certificate: [
    'redis_certificate_untrusted',
    'Mend the certificate, or trust its authority with NODE_EXTRA_CA_CERTS',
  ],
  unreachable: [
    'redis_unreachable',
    'Start Redis, or correct redis.url (SERVICE_REDIS__URL); accepted runs wait meanwhile',
  ],
};

export function judgeRedisFailure(server: string, { kind, reason }: RedisFailure): Verdict {
  const [code, remedy] = FAILURES[kind];
  return { findings: [problem(code, `Redis at ${server} ${reason}`, remedy)], summary: server };
}
