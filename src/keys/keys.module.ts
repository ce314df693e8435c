import { Module } from '@nestjs/common';
import { IdentityCoreModule } from '../identity/index.js';
import { KeySetController } from './key-set.controller.js';

@Module({ imports: [IdentityCoreModule], controllers: [KeySetController] })
export class KeysModule {}
