import { Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { redisConnection, RedisOutage } from './redis-connection.js';

/** The connections that Bull was given. It closes only those that it makes itself, so they are kept here. */
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
