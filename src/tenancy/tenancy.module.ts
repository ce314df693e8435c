import { Global, Module } from '@nestjs/common';
import { TenantDeletion } from './tenant-deletion.js';

/** What holds of tenants in every profile; how they are called, the profile's modules provide. */
@Global()
@Module({ providers: [TenantDeletion], exports: [TenantDeletion] })
export class TenancyModule {}
