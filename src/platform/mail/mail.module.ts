import { MailerModule } from '@nestjs-modules/mailer';
import { Global, Module } from '@nestjs/common';
import { CONFIG } from '../config/index.js';
import type { Config } from '../config/index.js';
import { TenantSmtp } from './tenant-smtp.js';
import { transportOptions, OUTBOX_LIMITS, REQUEST_LIMITS } from './mail-server.js';
import { Mail } from './mail.js';
import { reportWritten } from './delivery-attempt.js';

@Global()
@Module({
  imports: [
    MailerModule.forRootAsync({
      imports: [],
      inject: [CONFIG],
      useFactory: ({ identity: { smtp } }: Config) => {
        // Without mail settings nothing is ever sent; the transport only has to exist.
        if (smtp === null) return { transport: { jsonTransport: true } };
        return {
          transports: {
            request: transportOptions(smtp, REQUEST_LIMITS),
            outbox: transportOptions(smtp, OUTBOX_LIMITS),
          },
          plugins: [{ step: 'stream', plugin: reportWritten }],
        };
      },
    }),
  ],
  providers: [TenantSmtp, Mail],
  exports: [TenantSmtp, Mail],
})
export class MailModule {}
