import { BullModule, getQueueToken } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { Queue } from 'bull';
import { CONFIG } from '../config/index.js';
import type { Config } from '../config/index.js';
import { QueueConnection } from './queue-connection.js';
import { RedisConnections } from './redis-connection.js';

@Module({ providers: [RedisConnections], exports: [RedisConnections] })
class RedisConnectionsModule {}

@Module({})
export class QueueModule {
  /** @param names of the queues; commands that belong to none go over the connection of the first */
  static register(...names: readonly [string, ...string[]]): DynamicModule {
    return {
      module: QueueModule,
      global: true,
      imports: [
        RedisConnectionsModule,
        BullModule.forRootAsync({
          imports: [RedisConnectionsModule],
          inject: [CONFIG, RedisConnections],
          useFactory: (config: Config, connections: RedisConnections) => {
            const { url } = config.redis;
            if (url === null) throw new Error('redis.url was not resolved before startup');
            return {
              prefix: 'service',
              createClient: () => connections.open({ ...config.redis, url }),
              defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
              settings: {
                // Claims are fenced, so a short time does no harm. A long time delays a run whose wake-up was taken by a
                // worker that died before the claim.
                lockDuration: config.timing.redis.stalledAfterMs,
                stalledInterval: config.timing.redis.stalledCheckMs,
                guardInterval: config.timing.redis.delayedCheckMs,
                retryProcessDelay: config.timing.redis.slotPauseMs,
                maxStalledCount: 1000,
              },
            };
          },
        }),
        BullModule.registerQueue(...names.map((name) => ({ name }))),
      ],
      providers: [
        {
          provide: QueueConnection,
          inject: [CONFIG, RedisConnections, ...names.map((name) => getQueueToken(name))],
          useFactory: ({ timing }: Config, connections: RedisConnections, ...queues: [Queue, ...Queue[]]) =>
            new QueueConnection(queues, connections, timing.redis),
        },
      ],
      exports: [QueueConnection, BullModule],
    };
  }
}
