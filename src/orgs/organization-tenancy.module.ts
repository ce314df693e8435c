import { Global, Module } from '@nestjs/common';
import { Tenancy } from '../platform/tenancy/index.js';
import { OrganizationTenancy } from './organization-tenancy.js';

@Global()
@Module({ providers: [{ provide: Tenancy, useClass: OrganizationTenancy }], exports: [Tenancy] })
export class OrganizationTenancyModule {}
