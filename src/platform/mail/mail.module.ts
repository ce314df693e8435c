import { MailerModule } from '@nestjs-modules/mailer';
import { Global, Module } from '@nestjs/common';
import { CONFIG } from '../config/index.js';
import type { Config } from '../config/index.js';
import { Mail } from './mail.js';

/** How long a mail server may take for any step of the dialogue. */
const SMTP_LIMIT_MS = 10_000;

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
          transport: {
            host: smtp.host,
            port: smtp.port,
            secure: smtp.tls === 'tls',
            requireTLS: smtp.tls === 'starttls',
            ignoreTLS: smtp.tls === 'none',
            ...(smtp.user === null ? {} : { auth: { user: smtp.user, pass: smtp.password ?? '' } }),
            connectionTimeout: SMTP_LIMIT_MS,
            greetingTimeout: SMTP_LIMIT_MS,
            socketTimeout: SMTP_LIMIT_MS,
          },
        };
      },
    }),
  ],
  providers: [Mail],
  exports: [Mail],
})
export class MailModule {}
