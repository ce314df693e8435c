import { homedir } from 'node:os';
import { join } from 'node:path';

/** What the environment of the user says. None of these are settings of the server. */
export interface CallerEnvironment {
  readonly url: string | null;
  readonly apiKey: string | null;
  /** Where logins are kept. */
  readonly folder: string;
  /** What the user typed before the command: npx puts nothing on the PATH. */
  readonly invocation: 'servicectl' | 'npx servicectl';
}

/** An empty variable counts as unset. The folder follows https://specifications.freedesktop.org/basedir/latest/ */
export function callerEnvironment(env: NodeJS.ProcessEnv = process.env): CallerEnvironment {
  const { SERVICE_URL, SERVICE_API_KEY, SERVICE_CLI_CONFIG, XDG_CONFIG_HOME, npm_lifecycle_event } = env;
  return {
    url: SERVICE_URL || null,
    apiKey: SERVICE_API_KEY || null,
    folder: SERVICE_CLI_CONFIG || join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'servicectl'),
    invocation: npm_lifecycle_event === 'npx' ? 'npx servicectl' : 'servicectl',
  };
}

/** A command for a hint, so that the user can copy it: `npx servicectl login`. */
export function asTyped(command: string): string {
  return `${callerEnvironment().invocation} ${command}`;
}
