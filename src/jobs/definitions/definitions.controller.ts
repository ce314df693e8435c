import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentCaller, CurrentTenant, Endpoint, RequestOrigin } from '../../platform/http/index.js';
import type { Caller, Origin, Tenant } from '../../platform/http/index.js';
import { Definitions } from './definitions.js';
import { ManifestDto, RegisteredDto } from './dto/manifest.js';

@ApiTags('Jobs')
@Controller('jobs/v1/jobs')
export class DefinitionsController {
  constructor(private readonly definitions: Definitions) {}

  @Endpoint.post('', {
    access: 'jobs:jobs:write',
    summary: 'Register the jobs of a manifest',
    description: 'All of them or none. Registering the same manifest again changes nothing.',
    response: RegisteredDto,
    errors: ['validation_failed'],
  })
  async register(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Body() manifest: ManifestDto,
    @RequestOrigin() origin: Origin,
  ): Promise<RegisteredDto> {
    return { jobs: await this.definitions.register(tenant.id, manifest.jobs, caller, origin) };
  }
}
