import { join } from 'node:path';
import type { Config } from './platform/config/index.js';

const JSON_TYPE = `-H 'Content-Type: application/json'`;
const CREDENTIALS = `-d '{"email":"alan@example.com","password":"correct horse battery"}'`;

/** The first steps in each profile. Other names than those of the README, so that a reader can do both. */
const NEXT: Readonly<Record<Config['identity']['profile'], (url: string, secretsDir: string) => string[]>> = {
  organization: (url) => [
    `  curl -s ${url}/auth/v1/signup ${JSON_TYPE} ${CREDENTIALS}`,
    `  TOKEN=$(curl -s '${url}/auth/v1/token?grant_type=password' ${JSON_TYPE} ${CREDENTIALS} | ${fieldOf('access_token')})`,
    `  curl -s ${url}/auth/v1/orgs -H "Authorization: Bearer $TOKEN" ${JSON_TYPE} -d '{"slug":"initech","name":"Initech"}'`,
  ],
  project: (url, secretsDir) => [
    `  ADMIN_TOKEN=$(cat ${join(secretsDir, 'admin_token')})   # or your own admin.token`,
    `  ANON_KEY=$(curl -s ${url}/admin/v1/projects -H "Authorization: Bearer $ADMIN_TOKEN" ${JSON_TYPE} -d '{"ref":"initech","name":"Initech"}' | ${fieldOf('anon_key')})`,
    `  curl -s ${url}/auth/v1/signup -H "apikey: $ANON_KEY" ${JSON_TYPE} ${CREDENTIALS}`,
  ],
};

function fieldOf(name: string): string {
  return `sed 's/.*"${name}":"\\([^"]*\\)".*/\\1/'`;
}

/** The steps of someone at a terminal, where the scripts of the repository are. */
const AT_A_TERMINAL = [
  '',
  'Next, in another terminal:',
  '  npm run tour            walks through the API and checks every answer',
  '  npx servicectl --help   the command line: sign up, deploy functions, trigger jobs, follow logs',
  '',
  'Or by hand:',
];

/**
 * What a user needs after `npm start`. Names the folder of the secrets, never a secret.
 * @param isAtTerminal whether a person with the repository reads it
 */
export function banner(config: Config, url: string, isAtTerminal: boolean): string {
  const { dataDir } = config.server;
  const secretsDir = join(dataDir, 'secrets');
  const isEmbedded = config.admin.token !== null && config.database.url?.includes('@127.0.0.1') === true;
  const lines = [
    '',
    `Service is ready (${[...config.roles].join(', ')})`,
    '',
    ...(config.roles.has('api')
      ? [`  API        ${url}`, `  Docs       ${url}/docs`]
      : [`  Address    ${url}`]),
    `  Health     ${url}/health`,
    `  Metrics    ${url}/metrics`,
    ...(isEmbedded ? [`  Data       ${dataDir}`, `  Secrets    ${secretsDir} (readable by you alone)`] : []),
    ...(config.functions.dir === null ? [] : [`  Functions  ${config.functions.dir}`]),
  ];
  // The tour and the command line's sign-up are of the organization profile.
  const heading = isAtTerminal && config.identity.profile === 'organization' ? AT_A_TERMINAL : ['', 'Next:'];
  const next = [...heading, ...NEXT[config.identity.profile](url, secretsDir)];
  return [...lines, ...(config.roles.has('api') ? next : []), '', ''].join('\n');
}
