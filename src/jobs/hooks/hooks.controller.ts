import { applyDecorators, Controller, Param, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiQuery, ApiTags, ApiProperty } from '@nestjs/swagger';
import { Endpoint, JSON_REFERENCE, ReceivedBody, TakesRawBody, traceParentOf } from '../../http/index.js';
import type { RawBody, ServiceRequest } from '../../http/index.js';
import { DEPLOYMENT_SCOPE } from '../../tenancy/index.js';
import { Hooks } from './hooks.js';

export class HookAcceptedDto {
  @ApiProperty({ example: 'run_01JB5M3V7Q8W9X0Y1Z2A3B4C5D' })
  run_id!: string;
}

type HookMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Open to all: the signature says who calls. */
function HookEndpoint(method: HookMethod): MethodDecorator {
  return applyDecorators(
    Endpoint[method](':name', {
      access: 'addressed',
      ignoresUnread: true,
      summary: `Call the hook of a job by ${method.toUpperCase()}`,
      description:
        'The trigger says which method its hook takes and how calls are signed. The run gets the JSON body, a form as an object of its fields, or without a body the query as an object. A redelivery answers the run of the first delivery.',
      status: 202,
      response: HookAcceptedDto,
      errors: [
        'invalid_signature',
        'invalid_json',
        'hook_not_found',
        'method_not_allowed',
        'job_paused',
        'limit_reached',
        'payload_too_large',
      ],
    }),
    TakesRawBody(),
    ApiQuery({
      name: 'query',
      required: false,
      style: 'form',
      explode: true,
      schema: { type: 'object', additionalProperties: { type: 'string' } },
      description: 'Any parameters; the payload of a call without a body.',
    }),
  );
}

/** OpenAPI knows bodies of these methods only; a hook takes one by DELETE too. */
function AnyBody(): MethodDecorator {
  return applyDecorators(
    // What is JSON is taken under any name.
    ApiConsumes('application/json', 'application/x-www-form-urlencoded', '*/*'),
    ApiBody({ required: false, schema: JSON_REFERENCE, description: 'Any JSON, or a form.' }),
  );
}

@ApiTags('Hooks')
@Controller('jobs/v1/hooks')
export class HooksController {
  constructor(private readonly hooks: Hooks) {}

  @HookEndpoint('get')
  async callByGet(
    @Param('name') name: string,
    @ReceivedBody() body: RawBody,
    @Req() request: ServiceRequest,
  ): Promise<HookAcceptedDto> {
    return await this.receive(name, body, request);
  }

  @HookEndpoint('post')
  @AnyBody()
  async callByPost(
    @Param('name') name: string,
    @ReceivedBody() body: RawBody,
    @Req() request: ServiceRequest,
  ): Promise<HookAcceptedDto> {
    return await this.receive(name, body, request);
  }

  @HookEndpoint('put')
  @AnyBody()
  async callByPut(
    @Param('name') name: string,
    @ReceivedBody() body: RawBody,
    @Req() request: ServiceRequest,
  ): Promise<HookAcceptedDto> {
    return await this.receive(name, body, request);
  }

  @HookEndpoint('patch')
  @AnyBody()
  async callByPatch(
    @Param('name') name: string,
    @ReceivedBody() body: RawBody,
    @Req() request: ServiceRequest,
  ): Promise<HookAcceptedDto> {
    return await this.receive(name, body, request);
  }

  @HookEndpoint('delete')
  async callByDelete(
    @Param('name') name: string,
    @ReceivedBody() body: RawBody,
    @Req() request: ServiceRequest,
  ): Promise<HookAcceptedDto> {
    return await this.receive(name, body, request);
  }

  /** `request.method`, since a HEAD comes here as a GET does, and is none. */
  private async receive(name: string, body: RawBody, request: ServiceRequest): Promise<HookAcceptedDto> {
    const { method, headers, url, project } = request;
    const start = url.indexOf('?');
    const query = start === -1 ? '' : url.slice(start + 1);
    const scope = project?.id ?? DEPLOYMENT_SCOPE;
    const call = { scope, name, method, headers, query, body, traceParent: traceParentOf(request) };
    return { run_id: await this.hooks.receive(call) };
  }
}
