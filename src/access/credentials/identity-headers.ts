import type { Caller, Tenant } from '../../platform/http/index.js';

/** One word of printable ASCII: all ids and role names are, and no line break can smuggle in a header. */
const HEADER_VALUE = /^[\x21-\x7e]+$/;

function idOf(caller: Caller): Record<string, string> {
  if (caller.type === 'user') return { 'X-Service-User-Id': caller.userId };
  return caller.type === 'run' ? { 'X-Service-Run-Id': caller.runId } : { 'X-Service-Key-Id': caller.keyId };
}

/** Who is calling and where, as a reverse proxy hands it to what stands behind it (contract section 5). */
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
