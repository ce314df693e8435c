import type { FieldProblem } from '../http/index.js';
import { PROJECT_REF } from './project.repository.js';

/** A host name or IPv4 address, with the port and the trailing dot that it may have. */
const HOST =
  /^((?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)\.?(?::\d{1,5})?$/i;
const MAX_LENGTH = 253;
/** The dot and the port that may follow. */
const MAX_PORT = '.:65535'.length;

/**
 * The host of a Host header in normal form: lower case, without port and trailing dot; null for text that is not a host
 * name.
 */
export function normalizedHost(host: string): string | null {
  if (host.length > MAX_LENGTH + MAX_PORT) return null;
  // Matched before lower-casing, which would turn some non-ASCII letters into ASCII ones.
  const name = HOST.exec(host)?.[1];
  return name === undefined || name.length > MAX_LENGTH ? null : name.toLowerCase();
}

/** Whether the host lies under the domain whose subdomains are refs, or is that domain. */
export function isUnder(host: string, projectDomain: string | null): boolean {
  return projectDomain !== null && (host === projectDomain || host.endsWith(`.${projectDomain}`));
}

/** The ref that `<ref>.<project domain>` names; null for every other host. */
export function refOfHost(host: string, projectDomain: string | null): string | null {
  if (projectDomain === null || !host.endsWith(`.${projectDomain}`)) return null;
  const ref = host.slice(0, -projectDomain.length - 1);
  return PROJECT_REF.test(ref) ? ref : null;
}

/** Normalized hosts without duplicates, and the problems of invalid ones. */
export function readHosts(
  hosts: readonly unknown[],
  projectDomain: string | null,
): { hosts: string[]; problems: FieldProblem[] } {
  const kept = new Set<string>();
  const problems: FieldProblem[] = [];
  for (const [index, host] of hosts.entries()) {
    const name = typeof host === 'string' && !host.includes(':') ? normalizedHost(host) : null;
    if (name === null) {
      problems.push({ path: `hosts[${index}]`, message: 'must be a host name in ASCII, without port' });
    } else if (isUnder(name, projectDomain)) {
      const message = 'lies under auth.project_domain, whose subdomains name projects by their ref';
      problems.push({ path: `hosts[${index}]`, message });
    } else kept.add(name);
  }
  return { hosts: [...kept], problems };
}
