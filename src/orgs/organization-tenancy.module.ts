import { Global, Module } from '@nestjs/common';
import { Tenancy } from '../platform/tenancy/index.js';
import { OrgsModule } from './orgs.module.js';
import { OrganizationTenancy } from './tenancy/organization-tenancy.js';

@Global()
@Module({
  imports: [OrgsModule],
  providers: [{ provide: Tenancy, useClass: OrganizationTenancy }],
  exports: [Tenancy],
})
export class OrganizationTenancyModule {}
