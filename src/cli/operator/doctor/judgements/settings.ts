import { problemKind } from '../../../../platform/config/index.js';
import type { Config, Problem, ProblemKind } from '../../../../platform/config/index.js';
import type { FindingCode } from '../finding-codes.js';
import { counted, problem, those, warning } from '../finding.js';
import type { Finding, Verdict } from '../finding.js';

const CODES: Readonly<Record<ProblemKind, readonly [code: FindingCode, remedy: string]>> = {
  unreadable: ['configuration_unreadable', 'Mend the file, or name another one in SERVICE_CONFIG'],
  unknown: ['setting_unknown', 'Remove or rename it; service.example.toml lists every setting'],
  missing: ['setting_missing', 'Set it; service.example.toml describes it'],
  invalid: ['setting_invalid', 'Correct the value; service.example.toml describes it'],
};

/** A configuration with which the program does not start. */
export function judgeProblems(problems: readonly Problem[]): Verdict {
  return {
    findings: problems.map((each) => {
      const kind = problemKind(each);
      const [code, remedy] = CODES[kind];
      return problem(code, `${each.key}${kind === 'unreadable' ? ':' : ''} ${each.reason}`, remedy);
    }),
    summary: counted(problems.length, 'problem'),
  };
}

const LEAST_TOKEN_CHARACTERS = 24;
/** Random keys and tokens have far more; `changeme`, `aaaa…` and a key of zeros do not. */
const LEAST_DIFFERENT = 8;

type Judged = Pick<Config, 'written' | 'server' | 'database' | 'identity' | 'admin' | 'console' | 'roles'>;

/** Who sends mail: the deployment, each project by its own settings, or nobody. */
export type MailSender = 'deployment' | 'projects' | 'nobody';

/** Settings that the program accepts, and that are wrong all the same. */
export function judgeSettings(config: Judged, mail: MailSender): Verdict {
  const { identity, admin, database } = config;
  const findings = [
    ...those(
      identity.dataKey !== null &&
        differentBytes(identity.dataKey) < LEAST_DIFFERENT &&
        problem(
          'data_key_weak',
          'identity.data_key is not random: it repeats a few bytes',
          'Make a key with openssl rand -base64 32, and change to it as servicectl rekey --help says',
        ),
      admin.token !== null &&
        isWeak(admin.token) &&
        problem(
          'admin_token_weak',
          'admin.token can be guessed: it is short, or repeats a few characters',
          'Set admin.token (SERVICE_ADMIN__TOKEN) to the output of openssl rand -hex 32, and restart',
        ),
    ),
    // The embedded default serves the machine that it runs on, under the address that it listens on.
    ...(database.url === null ? [] : judgePublicUrl(config, mail)),
  ];
  const count = Object.keys(config.written).length;
  return { findings, summary: count === 0 ? 'all defaults' : `${counted(count, 'setting')} written` };
}

function judgePublicUrl(
  { identity: { publicUrl, requireVerifiedEmail, passkeys }, server }: Judged,
  mail: MailSender,
): Finding[] {
  const setIt = 'Set identity.public_url (SERVICE_IDENTITY__PUBLIC_URL) to the https address that users open';
  const proof = those(
    requireVerifiedEmail &&
      mail === 'nobody' &&
      problem(
        'mail_required',
        'identity.require_verified_email is true, and no mail is configured: nobody can prove an address',
        'Set identity.smtp.host and identity.smtp.from, or set require_verified_email = false',
      ),
  );
  if (publicUrl === null)
    return [
      ...proof,
      (mail === 'deployment' ? problem : warning)(
        'public_url_missing',
        'identity.public_url is not set: links lead to the address that an instance listens on',
        setIt,
      ),
    ];
  const { protocol, hostname } = new URL(publicUrl);
  const isLocal = /^(?:localhost|127\..*|\[::1\])$/.test(hostname);
  return [
    ...proof,
    ...those(
      protocol === 'http:' &&
        !isLocal &&
        warning(
          'public_url_without_tls',
          `identity.public_url is ${publicUrl}: passwords and tokens cross the network in the clear`,
          `${setIt}, and let a reverse proxy serve it`,
        ),
      protocol === 'https:' &&
        server.trustProxy === false &&
        warning(
          'proxy_not_trusted',
          'identity.public_url is https, so a proxy is in front, but server.trust_proxy is false: all callers count as one address',
          'Set server.trust_proxy (SERVICE_SERVER__TRUST_PROXY) to the number of proxies in front',
        ),
      !isLocal && judgePasskeys(passkeys, publicUrl),
    ),
  ];
}

/** Browsers make passkeys for a domain on its own pages and those of its subdomains alone (WebAuthn Level 3, section 5). */
function judgePasskeys(
  { rpId, origins }: Judged['identity']['passkeys'],
  publicUrl: string,
): Finding | false {
  const domain = rpId ?? new URL(publicUrl).hostname;
  // Applications of Android have origins without a host.
  const pages = [publicUrl, ...origins].filter((origin) => /^https?:/.test(origin));
  const outside = pages.find((page) => !isWithin(new URL(page).hostname, domain));
  return (
    outside !== undefined &&
    problem(
      'passkeys_elsewhere',
      `passkeys belong to ${domain}, so none can be made or used on ${new URL(outside).origin}`,
      'Set identity.passkeys.rp_id to the host of identity.public_url and of all identity.passkeys.origins, or to a domain ' +
        'above them; passkeys of another rp_id are lost',
    )
  );
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

function isWeak(token: string): boolean {
  return token.length < LEAST_TOKEN_CHARACTERS || new Set(token).size < LEAST_DIFFERENT;
}

function differentBytes(key: string): number {
  return new Set(Buffer.from(key, 'base64')).size;
}

/** What answers at identity.public_url; `refused`: Service, which is not to be called by this host. */
export type PublicAnswer = 'service' | 'refused' | 'other' | 'none';

export function judgePublicAnswer(publicUrl: string, answer: PublicAnswer): Verdict {
  const findings = those(
    answer === 'none' &&
      warning(
        'public_url_unreachable',
        `nothing answers at identity.public_url (${publicUrl}), as seen from this machine`,
        'Start an instance of role api and the proxy; if only this machine cannot reach the address, ignore this',
      ),
    answer === 'refused' &&
      problem(
        'public_url_host_refused',
        `Service answers at identity.public_url (${publicUrl}) that it is not called by this host`,
        'Add the host to server.allowed_hosts (SERVICE_SERVER__ALLOWED_HOSTS)',
      ),
    answer === 'other' &&
      problem(
        'public_url_elsewhere',
        `what answers at identity.public_url (${publicUrl}) is not Service: it has no /health`,
        'Correct identity.public_url, or have the proxy pass all paths on to server.port',
      ),
  );
  return { findings, summary: `${publicUrl} answers` };
}
