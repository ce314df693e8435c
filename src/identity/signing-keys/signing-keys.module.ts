import { Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BackgroundServices } from '../../platform/lifecycle/index.js';
import { SigningKeyRotation } from './signing-key-rotation.js';
import { SigningKeySchedule } from './signing-key-schedule.js';
import { SigningKeyEntity, SigningKeyRepository } from './signing-key.repository.js';
import { SigningKeys } from './signing-keys.js';

/** One set of signing keys for the whole deployment, kept in the database and rotated there. */
@Module({
  imports: [TypeOrmModule.forFeature([SigningKeyEntity])],
  providers: [SigningKeyRepository, SigningKeyRotation, SigningKeySchedule, SigningKeys],
  exports: [SigningKeyRepository, SigningKeyRotation, SigningKeys],
})
export class SigningKeysModule implements OnModuleInit {
  constructor(
    private readonly backgroundServices: BackgroundServices,
    private readonly schedule: SigningKeySchedule,
  ) {}

  onModuleInit(): void {
    this.backgroundServices.register(this.schedule);
  }
}
