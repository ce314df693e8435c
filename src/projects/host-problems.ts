import type { FieldProblem } from '../platform/http/index.js';
import { isUnder, normalizedHost } from './host-name.js';

/** Hosts as they are kept, each once, and what is wrong with those that cannot be. */
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
