import { beginnings, parseUrl } from './formats.js';
import type { Kind } from './kind.js';
import { accepted, refused } from './outcome.js';
import { serverUrls } from './server-urls.js';

const SCHEMES = ['postgres', 'postgresql'];

/** Parameters of which the driver takes these values, and another one without a word for something else. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  sslmode: ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'],
  sslnegotiation: ['postgres', 'direct'],
};

/** Settings in `options` with which no server would do, and what they keep the program from. */
const UNUSABLE: readonly (readonly [name: string, value: RegExp, effect: string])[] = [
  ['default_transaction_read_only', /^(?:on|t(?:r(?:u(?:e)?)?)?|y(?:es?)?|1)$/i, 'the program may not write'],
  ['transaction_read_only', /^(?:on|t(?:r(?:u(?:e)?)?)?|y(?:es?)?|1)$/i, 'the program may not write'],
  ['session_replication_role', /^replica$/i, 'triggers and cascades do not take place'],
];

/** `-c name=value` or `--name=value`, as PostgreSQL reads `options` of a connection. */
const OPTION = /(?:^|\s)(?:-c\s*|--)([\w.-]+)=(\S*)/g;

/** The settings that the URL gives its connections in `options`, by name. */
export function optionsOf(url: string): ReadonlyMap<string, string> {
  const text = new URL(serverUrls(url)[0]).searchParams.get('options') ?? '';
  return new Map(
    Array.from(text.matchAll(OPTION), ([, name = '', value = '']) => [
      name.toLowerCase().replaceAll('-', '_'),
      value,
    ]),
  );
}

/** The address of one PostgreSQL database, or of the same on several servers. It may carry a password. */
export function postgresUrl(): Kind<string> {
  const shape = `a URL that begins with ${beginnings(SCHEMES)}, with one host or several with commas between them`;
  return {
    shape,
    secrecy: 'password',
    read({ value: written }, surroundings) {
      if (typeof written !== 'string') return refused(`must be ${shape}`);
      const resolved = surroundings.resolve(written);
      if (!resolved.ok) return resolved;
      const { value } = resolved;
      const servers = serverUrls(value).map((server) => parseUrl(server, SCHEMES)?.hostname);
      // A single one may be left out, for a socket on this machine.
      const areNamed = servers.every((host) => host !== undefined && (host !== '' || servers.length === 1));
      if (!areNamed) return refused(`must be ${shape}`);
      const problem = choiceProblem(value) ?? optionsProblem(value);
      return problem === null ? accepted(value) : refused(problem);
    },
  };
}

function choiceProblem(url: string): string | null {
  const { searchParams } = new URL(serverUrls(url)[0]);
  for (const [name, choices] of Object.entries(CHOICES))
    if (searchParams.getAll(name).some((value) => !choices.includes(value)))
      return `must have one of these as ${name}: ${choices.join(', ')}`;
  return null;
}

function optionsProblem(url: string): string | null {
  const options = optionsOf(url);
  for (const [name, value, effect] of UNUSABLE)
    if (value.test(options.get(name) ?? ''))
      return `must not set ${name} in its options, with which ${effect}; remove it from the URL`;
  return null;
}
