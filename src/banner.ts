import { join } from 'node:path';
import type { Config } from './platform/config/index.js';

/** What someone who just typed `npm start` wants to know. Names where secrets lie, never a secret. */
export function banner(config: Config, url: string): string {
  const json = `-H 'Content-Type: application/json'`;
  const credentials = `-d '{"email":"ada@example.com","password":"correct horse battery"}'`;
  const { dataDir } = config.server;
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
    ...(isEmbedded
      ? [`  Data       ${dataDir}`, `  Secrets    ${join(dataDir, 'secrets')} (readable by you alone)`]
      : []),
    ...(config.functions.dir === null ? [] : [`  Functions  ${config.functions.dir}`]),
  ];
  const next = [
    '',
    'Next:',
    `  curl -s ${url}/auth/v1/signup ${json} ${credentials}`,
    `  TOKEN=$(curl -s '${url}/auth/v1/token?grant_type=password' ${json} ${credentials} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `  curl -s ${url}/auth/v1/orgs -H "Authorization: Bearer $TOKEN" ${json} -d '{"slug":"acme","name":"Acme"}'`,
  ];
  return [...lines, ...(config.roles.has('api') ? next : []), '', ''].join('\n');
}
