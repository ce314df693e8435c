import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../audit/index.js';
import {
  CurrentCaller,
  CurrentTenant,
  Endpoint,
  inspected,
  PageQuery,
  RequestOrigin,
  TakesBody,
} from '../../http/index.js';
import type { Page, Caller, Origin, Tenant } from '../../http/index.js';
import { Definitions } from './definitions.js';
import { JobDto, JobPatchDto, JobsPatchDto, toJobDto } from './dto/job.js';
import { ManifestDto, RegisteredDto, RegistrationQuery } from './dto/manifest.js';
import { JobCatalog } from './job-catalog.js';

@ApiTags('Jobs')
@Controller('jobs/v1/jobs')
export class DefinitionsController {
  constructor(
    private readonly definitions: Definitions,
    private readonly catalog: JobCatalog,
  ) {}

  @Endpoint.post('', {
    access: 'jobs:jobs:write',
    summary: 'Register the jobs of a manifest',
    description:
      'All of them or none. Registering the same manifest again changes nothing. A manifest without `paused` leaves ' +
      'a pause as it is.',
    response: RegisteredDto,
    errors: ['validation_failed', 'permission_not_held', 'limit_reached', 'payload_too_large', 'table_busy'],
  })
  @TakesBody('manifest')
  @ApiBody({ type: ManifestDto })
  async register(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Body() body: unknown,
    @Query() query: RegistrationQuery,
    @RequestOrigin() origin: Origin,
  ): Promise<RegisteredDto> {
    const { prune = false, dry_run: dryRun = false } = query;
    const options = { prune, held: tenant.permissions, isRun: caller.type === 'run', dryRun };
    const by = { actor: actorOf(caller), origin };
    const manifest = await inspected(ManifestDto, body);
    return { jobs: await this.definitions.register(tenant.id, manifest, options, by) };
  }

  @Endpoint.get('', {
    access: 'jobs:jobs:read',
    summary: 'Jobs in the order of their ids',
    response: [JobDto],
    errors: ['validation_failed'],
  })
  async list(@CurrentTenant() tenant: Tenant, @Query() query: PageQuery): Promise<Page<JobDto>> {
    const page = await this.catalog.list(tenant.id, query.limit, query.cursor);
    return page.map(toJobDto);
  }

  @Endpoint.get(':id', {
    access: 'jobs:jobs:read',
    summary: 'A job, when it fires next, and its newest run',
    response: JobDto,
    errors: ['job_not_found'],
  })
  async show(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<JobDto> {
    return toJobDto(await this.catalog.find(tenant.id, id));
  }

  @Endpoint.patch('', {
    access: 'jobs:jobs:write',
    summary: 'Pause all jobs or some, or let them go on',
    description: 'All of them or none: an unknown id changes nothing.',
    response: RegisteredDto,
    errors: ['validation_failed', 'job_not_found'],
  })
  async pauseAll(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Body() { paused, ids }: JobsPatchDto,
    @RequestOrigin() origin: Origin,
  ): Promise<RegisteredDto> {
    const by = { actor: actorOf(caller), origin };
    return { jobs: await this.catalog.pauseAll(tenant.id, ids ?? null, paused, by) };
  }

  @Endpoint.patch(':id', {
    access: 'jobs:jobs:write',
    summary: 'Pause a job, or let it go on',
    description:
      'What its schedules, webhooks and row changes would have set going while it was paused does not follow later.',
    response: JobDto,
    errors: ['validation_failed', 'job_not_found'],
  })
  async pause(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { paused }: JobPatchDto,
    @RequestOrigin() origin: Origin,
  ): Promise<JobDto> {
    return toJobDto(await this.catalog.pause(tenant.id, id, paused, { actor: actorOf(caller), origin }));
  }

  @Endpoint.delete(':id', {
    access: 'jobs:jobs:write',
    summary: 'Delete a job',
    description: 'Its waiting runs are cancelled, those at work end, and its history stays.',
    status: 204,
    errors: ['job_not_found'],
  })
  async delete(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.catalog.delete(tenant.id, id, { actor: actorOf(caller), origin });
  }
}
