import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Lets a system in another root find hosts, and trust what this machine trusts. */
export function addRegistryAccess(root: string): void {
  for (const file of ['/etc/resolv.conf', '/etc/hosts'])
    if (existsSync(file)) cpSync(file, join(root, file), { dereference: true });
  const authorities = certificateAuthorities();
  if (authorities === null) return;
  mkdirSync(join(root, dirname(CERTIFICATES)), { recursive: true });
  cpSync(authorities, join(root, CERTIFICATES), { dereference: true });
}

/** The variables by which npm there reaches the registry as npm here does. */
export function registryVariables(): Record<string, string> {
  const proxies = Object.entries(process.env).filter(([name]) => /^(?:https?|no)_proxy$/i.test(name));
  return {
    ...(Object.fromEntries(proxies) as Record<string, string>),
    npm_config_registry: npmSetting('registry') ?? 'https://registry.npmjs.org/',
    ...(certificateAuthorities() === null
      ? {}
      : { NODE_EXTRA_CA_CERTS: CERTIFICATES, npm_config_cafile: CERTIFICATES }),
  };
}

/** Authorities that this machine trusts besides those of Node.js. */
function certificateAuthorities(): string | null {
  return process.env.NODE_EXTRA_CA_CERTS ?? npmSetting('cafile');
}

function npmSetting(name: string): string | null {
  const value = execFileSync('npm', ['config', 'get', name], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
  return ['', 'null', 'undefined'].includes(value) ? null : value;
}
