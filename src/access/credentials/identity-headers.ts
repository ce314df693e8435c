import type { Caller, Tenant } from '../../http/index.js';

/** One word of printable ASCII, as all ids and role names are. So no value can add a line break and another header. */
const HEADER_VALUE = /^[\x21-\x7e]+$/;

/** All headers that say who is calling. A proxy must forward none of them from its client. */
const IDENTITY_HEADERS = [
  'X-Service-Org-Id',
  'X-Service-User-Id',
  'X-Service-Role',
  'X-Service-Key-Id',
  'X-Service-Run-Id',
] as const;

function idOf(caller: Caller): Record<string, string> {
  if (caller.type === 'user') return { 'X-Service-User-Id': caller.userId };
  if (caller.type === 'run') return { 'X-Service-Run-Id': caller.runId };
  if (caller.type !== 'operator') return { 'X-Service-Key-Id': caller.keyId };
  return caller.account === null ? {} : { 'X-Service-User-Id': caller.account.userId };
}

/** The caller and the tenant, as a reverse proxy forwards them to the service behind it (contract section 5). */
export function identityHeaders(caller: Caller, tenant: Tenant): Record<string, string> {
  const headers = {
    ...idOf(caller),
    ...(tenant.role === null ? {} : { 'X-Service-Role': tenant.role }),
    'X-Service-Org-Id': tenant.id,
  };
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_VALUE.test(value)) throw new Error(`the value of ${name} cannot be a header`);
  }
  return headers;
}

/**
 * Makes Envoy remove the identity headers that its client sent and that the caller does not have. Envoy replaces only
 * those that the response contains. The header is Envoy's: `headers_to_remove` in
 * https://www.envoyproxy.io/docs/envoy/latest/api-v3/service/auth/v3/external_auth.proto
 */
export function removalForEnvoy(sent: Readonly<Record<string, string>>): Record<string, string> {
  const absent = IDENTITY_HEADERS.filter((name) => !Object.hasOwn(sent, name));
  return { 'X-Envoy-Auth-Headers-To-Remove': absent.join(',').toLowerCase() };
}
