import { Global, Module } from '@nestjs/common';
import { CONFIG } from '../config/index.js';
import type { Config } from '../config/index.js';
import { KeyRing } from './key-ring.js';

@Global()
@Module({
  providers: [
    {
      provide: KeyRing,
      inject: [CONFIG],
      useFactory: (config: Config) => {
        if (config.identity.dataKey === null)
          throw new Error('identity.data_key was not resolved before start');
        return new KeyRing([config.identity.dataKey, ...config.identity.dataKeyPrevious]);
      },
    },
  ],
  exports: [KeyRing],
})
export class CryptoModule {}
