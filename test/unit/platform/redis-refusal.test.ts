import { redisRefusalOf } from '../../../src/platform/queue/redis-refusal.js';

describe('an error of Redis', () => {
  it.each([
    ["READONLY You can't write against a read only replica.", 'it is a replica', true],
    [
      "ERR Error running script (call to f_0): @user_script:1: @user_script: 1: -READONLY You can't write against a read only replica.",
      'it is a replica',
      true,
    ],
    [
      "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
      'without its primary',
      true,
    ],
    ['NOAUTH Authentication required.', 'its password', true],
    ['WRONGPASS invalid username-password pair or user is disabled.', 'its password', true],
    [
      'MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist to disk.',
      'cannot save its data',
      false,
    ],
    ["OOM command not allowed when used memory > 'maxmemory'.", 'maxmemory', false],
    ['NOREPLICAS Not enough good replicas to write.', 'min-replicas-to-write', false],
    ['LOADING Redis is loading the dataset in memory', 'loading', false],
    ['CLUSTERDOWN The cluster is down', 'cluster', false],
    ['BUSY Redis is busy running a script.', 'busy', false],
    ['ERR max number of clients reached', 'no connection to spare', false],
    ["NOPERM User default has no permissions to run the 'evalsha' command", 'denies the account', false],
  ])('%s says why Redis does not work', (message, reason, callsForConnection) => {
    expect(redisRefusalOf(new Error(message))).toEqual({
      reason: expect.stringContaining(reason) as string,
      callsForConnection,
    });
  });

  it.each([
    'NOSCRIPT No matching script.',
    'WRONGTYPE Operation against a key holding the wrong kind of value',
    "ERR unknown command 'FOO'",
    "NOPERM User default has no permissions to run the 'info' command",
    "NOPERM this user has no permissions to run the 'client|setname' command",
  ])('%s does not keep Redis from working', (message) => {
    expect(redisRefusalOf(new Error(message))).toBeNull();
  });
});
