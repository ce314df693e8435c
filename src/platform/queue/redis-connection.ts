import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';

const logger = new Logger('Redis');

/**
 * A connection for Bull, which waits for Redis as long as it takes: no limit on retries per command and no
 * ready check on its blocking and subscribing connections (https://github.com/OptimalBits/bull, REFERENCE).
 */
export function redisConnection(url: string): Redis {
  const connection = new Redis(url, {
    maxRetriesPerRequest: null,
    enableReadyCheck: false,
    connectionName: 'service',
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 6), 2000),
  });
  let wasDown = false;
  connection.on('error', (error) => {
    if (!wasDown) logger.warn(error, 'Redis does not answer; runs wait in the database meanwhile');
    wasDown = true;
  });
  connection.on('ready', () => {
    if (wasDown) logger.log('Redis answers again');
    wasDown = false;
  });
  return connection;
}
