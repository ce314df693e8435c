import { ConfigError } from './platform/config/index.js';
import type { Config, Problem } from './platform/config/index.js';

/** Settings of capabilities that this release does not have yet: to take them and do nothing would be a lie. */
export function demandServed(config: Config): void {
  const problems: Problem[] = [];
  const refuse = (key: string, reason: string): void => {
    problems.push({ key, reason: `${reason}; remove it` });
  };
  if (config.identity.profile !== 'organization')
    refuse('identity.profile', 'this release serves the organization profile only');
  if (problems.length > 0) throw new ConfigError(problems);
}
