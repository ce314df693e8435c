import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { isUuid } from '../../platform/crypto/index.js';
import {
  CurrentCaller,
  CurrentTenant,
  Endpoint,
  RequestOrigin,
  ServiceError,
  TakesBody,
} from '../../http/index.js';
import type { Caller, Origin, Tenant } from '../../http/index.js';
import { covers } from '../../rbac/index.js';
import { toRunFilters } from '../runs/http/dto/run-query.js';
import { requireFullReach } from '../runs/model/run-reach.js';
import { BulkRunsBody, BulkRunsDto, OperationDto, toOperationDto } from './dto/operation.js';
import type { OperationAction } from './operation.js';
import { MAX_RUNS, Operations } from './operations.js';

/** The permission that the same request for one run needs. */
const PERMISSIONS = {
  retry: 'jobs:jobs:trigger',
  cancel: 'jobs:runs:cancel',
} as const satisfies Record<OperationAction, string>;

@ApiTags('Jobs')
@Controller('jobs/v1')
export class OperationsController {
  constructor(private readonly operations: Operations) {}

  @Endpoint.post('runs/bulk', {
    access: 'jobs:runs:read',
    summary: 'Retry or cancel all runs that match a filter',
    description:
      'Begins an operation on the runs that match now and that the action can happen to: ended runs are retried, the ' +
      `others cancelled. Where none match, there is no operation. At most ${MAX_RUNS.toLocaleString('en')} runs. Retries wait while the tenant has as many waiting ` +
      `runs as it may have, for up to 24 hours. Needs also \`${PERMISSIONS.retry}\` or \`${PERMISSIONS.cancel}\`.`,
    status: 202,
    response: BulkRunsDto,
    errors: [
      'validation_failed',
      'too_many_runs',
      'search_too_long',
      'limit_reached',
      'rate_limited',
      'overloaded',
    ],
  })
  @TakesBody('filter')
  async begin(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Body() { action, filter, dry_run: isDryRun = false }: BulkRunsBody,
    @RequestOrigin() origin: Origin,
  ): Promise<BulkRunsDto> {
    requireFullReach(tenant);
    const permission = PERMISSIONS[action];
    if (!covers(tenant.permissions, permission))
      throw new ServiceError('permission_denied', { hint: `This needs the permission ${permission}.` });
    const payload = filter.payload?.text;
    // As text for the audit log too, which would round its numbers.
    const given = { ...filter, ...(payload === undefined ? {} : { payload }) };
    const request = { action, filter: given, filters: toRunFilters({ ...filter, payload }, null) };
    if (isDryRun) {
      const at = new Date().toISOString();
      return { matched: (await this.operations.preview(tenant.id, request, caller)).length, at };
    }
    const { id, matched } = await this.operations.begin(tenant.id, request, caller, origin);
    return id === null ? { matched } : { matched, operation_id: id };
  }

  @Endpoint.get('operations/:id', {
    access: 'jobs:runs:read',
    summary: 'How far an operation on runs is',
    response: OperationDto,
    errors: ['operation_not_found'],
  })
  async show(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<OperationDto> {
    requireFullReach(tenant);
    if (!isUuid(id)) throw new ServiceError('operation_not_found');
    return toOperationDto(await this.operations.find(tenant.id, id));
  }
}
