import { BullModule } from '@nestjs/bull';
import { Global, Module } from '@nestjs/common';
import { CONFIG } from '../config/index.js';
import type { Config } from '../config/index.js';
import { QueueConnection } from './queue-connection.js';
import { MAIL_QUEUE, RUN_QUEUE } from './queues.js';
import { RedisConnections } from './redis-connections.js';

/**
 * Bull hands a hint out again after this long without word from its worker, and until then ignores a new one of
 * the same id. Claims are fenced, so a short time does no harm; a long one leaves a run waiting whose hint was
 * taken by a worker that died before the claim.
 */
const STALLED_AFTER_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
/** After a failure of Redis, or an end that it does not know of since it was emptied, the slot rests this long. */
const SLOT_REST_MS = 500;

@Module({ providers: [RedisConnections], exports: [RedisConnections] })
class RedisConnectionsModule {}

@Global()
@Module({
  imports: [
    RedisConnectionsModule,
    BullModule.forRootAsync({
      imports: [RedisConnectionsModule],
      inject: [CONFIG, RedisConnections],
      useFactory: (config: Config, connections: RedisConnections) => {
        const { url } = config.redis;
        if (url === null) throw new Error('redis.url was not resolved before start');
        return {
          prefix: 'service',
          createClient: () => connections.open(url),
          defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
          settings: {
            lockDuration: STALLED_AFTER_MS,
            stalledInterval: STALLED_CHECK_MS,
            retryProcessDelay: SLOT_REST_MS,
            maxStalledCount: 1000,
          },
        };
      },
    }),
    BullModule.registerQueue({ name: RUN_QUEUE }, { name: MAIL_QUEUE }),
  ],
  providers: [QueueConnection],
  exports: [QueueConnection, BullModule],
})
export class QueueModule {}
