import { BullModule } from '@nestjs/bull';
import { Global, Module } from '@nestjs/common';
import { CONFIG } from '../config/index.js';
import type { Config } from '../config/index.js';
import { QueueConnection } from './queue-connection.js';
import { RUN_QUEUE } from './queues.js';
import { redisConnection } from './redis-connection.js';

/** Bull hands a hint out again after this long without word from its worker. Claims are fenced, so it may, soon. */
const STALLED_AFTER_MS = 10_000;

@Global()
@Module({
  imports: [
    BullModule.forRootAsync({
      inject: [CONFIG],
      useFactory: (config: Config) => {
        const { url } = config.redis;
        if (url === null) throw new Error('redis.url was not resolved before start');
        return {
          prefix: 'service',
          createClient: () => redisConnection(url),
          defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
          settings: {
            lockDuration: STALLED_AFTER_MS,
            stalledInterval: STALLED_AFTER_MS,
            maxStalledCount: 1000,
          },
        };
      },
    }),
    BullModule.registerQueue({ name: RUN_QUEUE }),
  ],
  providers: [QueueConnection],
  exports: [QueueConnection, BullModule],
})
export class QueueModule {}
