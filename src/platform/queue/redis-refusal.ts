/** Why a Redis that answers does not work for the program. */
export interface RedisRefusal {
  /** Words that follow "Redis" and give nothing away. */
  readonly reason: string;
  /** Whether a new connection may find another server, or be let in. */
  readonly callsForConnection: boolean;
}

/** What did not answer in time: a hanging server, or one whose writes are paused. */
export const SILENCE: RedisRefusal = { reason: 'does not answer', callsForConnection: false };

/** Commands that an account need not be allowed. */
const OPTIONAL_COMMANDS = /'(?:info|client)\b/i;

/** By the error prefixes that Redis gives to commands, also where a script passes them on. */
const REFUSALS: readonly (readonly [RegExp, RedisRefusal])[] = [
  [/\bREADONLY\b/, { reason: 'takes no writes: it is a replica', callsForConnection: true }],
  [/\bMASTERDOWN\b/, { reason: 'is a replica without its primary', callsForConnection: true }],
  [/\b(?:NOAUTH|WRONGPASS)\b/, { reason: 'refuses the account or its password', callsForConnection: true }],
  [/\bMISCONF\b/, { reason: 'takes no writes: it cannot save its data', callsForConnection: false }],
  [/\bOOM\b/, { reason: 'takes no writes: it has reached maxmemory', callsForConnection: false }],
  [
    /\bNOREPLICAS\b/,
    {
      reason: 'takes no writes: it has fewer replicas than min-replicas-to-write',
      callsForConnection: false,
    },
  ],
  [/\bLOADING\b/, { reason: 'is loading its data', callsForConnection: false }],
  [/\bCLUSTERDOWN\b/, { reason: 'belongs to a cluster that is down', callsForConnection: false }],
  [/\bBUSY\b/, { reason: 'is busy with a script', callsForConnection: false }],
  [/max number of clients reached/, { reason: 'has no connection to spare', callsForConnection: false }],
  [
    /\bNOPERM\b/,
    { reason: 'denies the account a command that the program needs', callsForConnection: false },
  ],
];

/** @returns null for an error that has nothing to do with the state of the server */
export function redisRefusalOf({ message }: Error): RedisRefusal | null {
  const [, refusal] = REFUSALS.find(([prefix]) => prefix.test(message)) ?? [];
  if (refusal === undefined) return null;
  return message.includes('NOPERM') && OPTIONAL_COMMANDS.test(message) ? null : refusal;
}
