import { Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { redisConnection } from './redis-connection.js';

/** The connections that Bull was given. It closes only those that it makes itself, so they are kept here. */
@Injectable()
export class RedisConnections {
  private readonly opened: Redis[] = [];

  open(url: string): Redis {
    const connection = redisConnection(url);
    this.opened.push(connection);
    return connection;
  }

  closeAll(): void {
    for (const connection of this.opened) connection.disconnect();
  }
}
