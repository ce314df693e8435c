import { Global, Module } from '@nestjs/common';
import { OutboundClient } from './outbound-client.js';

@Global()
@Module({ providers: [OutboundClient], exports: [OutboundClient] })
export class OutboundModule {}
