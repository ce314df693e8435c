import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../platform/config/index.js';
import { TAGLINE } from './tagline.js';

const JSON_TYPE = `-H 'Content-Type: application/json'`;
const CREDENTIALS = `-d '{"email":"alan@example.com","password":"correct horse battery"}'`;

type Steps = (config: Config, url: string) => string[];

/**
 * The first steps in each profile that its settings permit. Other names than those of the README, so that a reader can
 * do both.
 */
const NEXT: Readonly<Record<Config['identity']['profile'], Steps>> = {
  organization: (config, url) => {
    const { signUp, organizationCreation } = config.identity;
    const organization = `${JSON_TYPE} -d '{"slug":"initech","name":"Initech"`;
    return [
      signUp === 'open'
        ? `  curl -s ${url}/auth/v1/signup ${JSON_TYPE} ${CREDENTIALS}`
        : `  # identity.sign_up is ${signUp}: ${SIGN_UP_ELSEWHERE[signUp]}`,
      `  TOKEN=$(curl -s '${url}/auth/v1/token?grant_type=password' ${JSON_TYPE} ${CREDENTIALS} | ${fieldOf('access_token')})`,
      ...(organizationCreation === 'anyone'
        ? [`  curl -s ${url}/auth/v1/orgs -H "Authorization: Bearer $TOKEN" ${organization}}'`]
        : [
            adminToken(config),
            // Not by address: nobody has proven that of a new account.
            `  USER_ID=$(curl -s ${url}/auth/v1/user -H "Authorization: Bearer $TOKEN" | ${fieldOf('id')})`,
            `  curl -s ${url}/admin/v1/orgs -H "Authorization: Bearer $ADMIN_TOKEN" ${organization},"owner_id":"'$USER_ID'"}'`,
          ]),
    ];
  },
  project: (config, url) => {
    // The service key creates accounts whatever `identity.sign_up` says.
    const key = config.identity.signUp === 'open' ? 'anon_key' : 'service_key';
    const variable = key.toUpperCase();
    return [
      adminToken(config),
      `  ${variable}=$(curl -s ${url}/admin/v1/projects -H "Authorization: Bearer $ADMIN_TOKEN" ${JSON_TYPE} -d '{"ref":"initech","name":"Initech"}' | ${fieldOf(key)})`,
      `  curl -s ${url}/auth/v1/signup -H "apikey: $${variable}" ${JSON_TYPE} ${CREDENTIALS}`,
    ];
  },
};

const SIGN_UP_ELSEWHERE = {
  invited: 'new accounts need an invitation; sign in with an account that exists',
  closed: 'nobody can create an account; sign in with one that exists',
};

function adminToken(config: Config): string {
  return `  ADMIN_TOKEN=$(cat ${join(config.server.dataDir, 'secrets', 'admin_token')})   # or your own admin.token`;
}

function fieldOf(name: string): string {
  return `sed 's/.*"${name}":"\\([^"]*\\)".*/\\1/'`;
}

/** Where the tour and the command line look for the program without SERVICE_URL. */
const ADDRESS_BY_DEFAULT = 'http://127.0.0.1:8080';
/** The handlers of examples/hello/jobs.json, which the tour registers. */
const HANDLERS_OF_TOUR = ['greet.mjs', 'flaky.mjs', 'reject.mjs'];

/** Whether the tour would get through: it signs up, creates an organization and runs the functions of the example. */
function hasTour({ identity: { signUp, organizationCreation }, functions: { dir } }: Config): boolean {
  return (
    signUp === 'open' &&
    organizationCreation === 'anyone' &&
    dir !== null &&
    HANDLERS_OF_TOUR.every((file) => existsSync(join(dir, file)))
  );
}

/** The steps of someone at a terminal, where the scripts of the repository are. */
function stepsAtTerminal(config: Config, url: string): string[] {
  const sign = config.identity.signUp === 'open' ? 'up' : 'in';
  return [
    '',
    'Next, in another terminal:',
    ...(url === ADDRESS_BY_DEFAULT ? [] : [`  export SERVICE_URL=${url}`]),
    ...(hasTour(config) ? ['  npm run tour            walks through the API and checks every answer'] : []),
    `  npx servicectl --help   the command line: sign ${sign}, ${TAGLINE}`,
    '',
    'Or by hand:',
  ];
}

/** Who reads the banner, and how that person becomes the operator. */
interface Reader {
  /** Whether a person with the repository reads it. */
  readonly isAtTerminal: boolean;
  /** Null where there is an operator. */
  readonly setupCode: string | null;
}

/** What a user needs after `npm start`. Names the folder of the secrets, and no secret but the setup code. */
export function banner(config: Config, url: string, { isAtTerminal, setupCode }: Reader): string {
  const { dataDir } = config.server;
  const secretsDir = join(dataDir, 'secrets');
  const isEmbedded = config.admin.token !== null && config.database.url?.includes('@127.0.0.1') === true;
  const lines = [
    '',
    `Service is ready (${[...config.roles].join(', ')})`,
    '',
    ...(config.roles.has('api')
      ? [
          ...(config.console.enabled ? [`  Console    ${url}/console`] : []),
          `  API        ${url}`,
          `  Docs       ${url}/docs`,
        ]
      : [`  Address    ${url}`]),
    ...(setupCode === null
      ? []
      : [`  Setup      create the operator's account at ${url}/console with the code ${setupCode}`]),
    `  Health     ${url}/health`,
    `  Metrics    ${url}/metrics`,
    ...(isEmbedded ? [`  Data       ${dataDir}`, `  Secrets    ${secretsDir} (readable by you alone)`] : []),
    ...(config.functions.dir === null ? [] : [`  Functions  ${config.functions.dir}`]),
  ];
  // The tour and the command line's sign-up are of the organization profile.
  const heading =
    isAtTerminal && config.identity.profile === 'organization' ? stepsAtTerminal(config, url) : ['', 'Next:'];
  const next = [...heading, ...NEXT[config.identity.profile](config, url)];
  return [...lines, ...(config.roles.has('api') ? next : []), '', ''].join('\n');
}
