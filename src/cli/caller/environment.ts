import { homedir } from 'node:os';
import { join } from 'node:path';

/** What the variables of whoever types a command say. They are no settings of the server. */
export interface CallerEnvironment {
  readonly url: string | null;
  readonly apiKey: string | null;
  /** Where logins are kept. */
  readonly folder: string;
}

/** An empty variable counts as unset. The folder follows https://specifications.freedesktop.org/basedir/latest/ */
export function callerEnvironment(env: NodeJS.ProcessEnv = process.env): CallerEnvironment {
  const { SERVICE_URL, SERVICE_API_KEY, SERVICE_CLI_CONFIG, XDG_CONFIG_HOME } = env;
  return {
    url: SERVICE_URL || null,
    apiKey: SERVICE_API_KEY || null,
    folder: SERVICE_CLI_CONFIG || join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'service'),
  };
}
