import { Global, Module } from '@nestjs/common';
import { TenantDeletion } from './tenancy.js';

/** What tenants of both profiles have in common; the modules of the profile provide their names. */
@Global()
@Module({ providers: [TenantDeletion], exports: [TenantDeletion] })
export class TenancyModule {}
