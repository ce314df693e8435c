import { Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { redisConnection, RedisOutage } from './redis-connection.js';

/** The connections given to Bull. Bull closes only connections that it opened itself, so this keeps them. */
@Injectable()
export class RedisConnections {
  private readonly opened: Redis[] = [];
  private readonly outage = new RedisOutage();

  open(url: string): Redis {
    const connection = redisConnection(url, this.outage);
    this.opened.push(connection);
    return connection;
  }

  closeAll(): void {
    for (const connection of this.opened) connection.disconnect();
  }
}
