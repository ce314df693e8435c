import { applyDecorators, Controller, Param, Query, Res } from '@nestjs/common';
import { ApiParam, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  AnswersSubRequests,
  CurrentCaller,
  CurrentTenant,
  Endpoint,
  ServiceError,
} from '../../http/index.js';
import type { Caller, Tenant } from '../../http/index.js';
import { identityHeaders, removalForEnvoy } from '../credentials/identity-headers.js';
import { readConcretePermission } from '../../rbac/index.js';
import { permits } from './permits.js';

const EXAMPLE = 'data:orders:read';
const ASKED =
  'The method is that of the request that the proxy asks about, or any other; a body is not read. A missing or ' +
  'malformed permission is 400, which a proxy turns into an error of its own: a gate that asks for nothing must not be ' +
  'mistaken for a closed one.';

function shown(description: string): { description: string; schema: { type: 'string' } } {
  return { description, schema: { type: 'string' } };
}

/** The response that lets a request pass, with its caller. */
function Passes(status: 200 | 204): MethodDecorator {
  return ApiResponse({
    status,
    description: 'The caller may; no body.',
    headers: {
      'X-Service-Org-Id': { required: true, ...shown('The organization that the caller acts in.') },
      'X-Service-User-Id': shown('The caller, where it is a user.'),
      'X-Service-Role': shown('The role of the user.'),
      'X-Service-Key-Id': shown('The caller, where it is an API key.'),
      'X-Service-Run-Id': shown('The caller, where it is the handler of a run.'),
      ...(status === 200
        ? {
            'X-Envoy-Auth-Headers-To-Remove': {
              required: true,
              ...shown('Makes Envoy remove the other headers of these, which its client may have sent.'),
            },
          }
        : {}),
    },
  });
}

function Gate(path: string, status: 200 | 204, summary: string, description: string): MethodDecorator {
  return applyDecorators(
    AnswersSubRequests(),
    Passes(status),
    Endpoint.any(path, {
      access: 'member',
      ignoresUnread: true,
      summary,
      description,
      status,
      errors: ['validation_failed', 'permission_denied'],
      runTokens: 'open',
    }),
  );
}

/** Tells a reverse proxy whether to let a request pass, and who sends it. */
@ApiTags('Permissions')
@Controller('auth/v1/gate')
export class GateController {
  @Passes(200)
  @Gate(
    '',
    204,
    "For a reverse proxy's auth sub-request: may the caller do this?",
    `Answers in the status alone, and says in headers who is calling. ${ASKED}`,
  )
  @ApiQuery({ name: 'permission', type: String, example: EXAMPLE })
  @ApiQuery({
    name: 'status',
    required: false,
    schema: { type: 'string', enum: ['200', '204'], default: '204' },
    description: 'What lets the request pass, for proxies that take nothing but 200.',
  })
  ask(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenant: Tenant,
    @Query('permission') permission: unknown,
    @Query('status') status: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): void {
    this.pass(caller, tenant, permission, readStatus(status), reply);
  }

  /** The proxy appends the path and the query of its client's request to our prefix, so the client chooses both. */
  @Gate(
    ':permission/*',
    200,
    'The same for a proxy that appends the path of the request to that of the gate, as Envoy does',
    `What follows the permission, and the query, are those of the request, and are not looked at. ${ASKED}`,
  )
  @ApiParam({ name: 'permission', type: String, example: EXAMPLE })
  @ApiParam({ name: 'path', type: String, example: 'orders/1', description: 'The path of the request.' })
  askByPath(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenant: Tenant,
    @Param('permission') permission: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): void {
    this.pass(caller, tenant, permission, 200, reply);
  }

  /** @throws validation_failed, permission_denied */
  private pass(
    caller: Caller,
    tenant: Tenant,
    permission: unknown,
    status: 200 | 204,
    reply: FastifyReply,
  ): void {
    const wanted = readConcretePermission(permission, 'permission');
    if (!permits(caller, tenant, wanted)) {
      throw new ServiceError('permission_denied', { hint: `This needs the permission ${wanted}.` });
    }
    const identity = identityHeaders(caller, tenant);
    void reply.status(status).headers(identity);
    if (status === 200) void reply.headers(removalForEnvoy(identity));
  }
}

/** @throws validation_failed */
function readStatus(value: unknown): 200 | 204 {
  if (value === undefined || value === '204') return 204;
  if (value === '200') return 200;
  throw new ServiceError('validation_failed', {
    details: [{ path: 'status', message: 'must be 200 or 204' }],
  });
}
