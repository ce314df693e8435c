import { Controller, Param, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { callerKey } from '../../audit/index.js';
import { CurrentTenant, decodeCursor, Endpoint, ServiceError, watchAccess } from '../../http/index.js';
import type { Page, ServiceRequest, Tenant } from '../../http/index.js';
import type { Permit } from '../../limits/index.js';
import { LogLineDto, LogsQuery, RunLogsQuery, toLogLineDto } from './dto/log.js';
import { LogFollowers } from './log-followers.js';
import { LOG_ID } from './log-line.js';
import type { LogFilter } from './log-line.js';
import { LogStream } from './log-stream.js';
import { Logs } from './logs.js';

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  required: false,
  description: 'With `follow`: the id of the last event that was received.',
};
const FOLLOWING =
  'Oldest first; with `order=desc` newest first. With `follow=true` Server-Sent Events: each has a line as data and an id to resume from. ' +
  'The first, `event: start`, has an id alone.';
const LINES = {
  status: 200,
  content: {
    'application/json': { schema: { type: 'array', items: { $ref: getSchemaPath(LogLineDto) } } },
    'text/event-stream': { schema: { type: 'string' } },
  },
} as const;

@ApiTags('Jobs')
@ApiExtraModels(LogLineDto)
@Controller('jobs/v1')
export class LogsController {
  constructor(
    private readonly logs: Logs,
    private readonly followers: LogFollowers,
  ) {}

  @ApiResponse(LINES)
  @Endpoint.get('runs/:id/logs', {
    access: 'jobs:logs:read',
    summary: 'What a run went through, and what its handler printed',
    description: `${FOLLOWING} The stream begins with the history and closes with \`event: end\` when the run has ended.`,
    response: [LogLineDto],
    errors: ['validation_failed', 'run_not_found', 'rate_limited', 'overloaded', 'unavailable'],
  })
  @ApiHeader(LAST_EVENT_ID)
  async ofRun(
    @CurrentTenant() tenant: Tenant,
    @Param('id') runId: string,
    @Query() query: RunLogsQuery,
    @Req() request: ServiceRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Page<LogLineDto> | undefined> {
    return await this.answer(tenant, { ...filterOf(query), runId }, query, request, reply);
  }

  @ApiResponse(LINES)
  @Endpoint.get('logs', {
    access: 'jobs:logs:read',
    summary: 'Logs of all runs',
    description: `${FOLLOWING} The stream begins with what is new.`,
    response: [LogLineDto],
    errors: ['validation_failed', 'rate_limited', 'overloaded', 'unavailable'],
  })
  @ApiHeader(LAST_EVENT_ID)
  async ofAll(
    @CurrentTenant() tenant: Tenant,
    @Query() query: LogsQuery,
    @Req() request: ServiceRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Page<LogLineDto> | undefined> {
    return await this.answer(
      tenant,
      { ...filterOf(query), jobId: query.job_id ?? null },
      query,
      request,
      reply,
    );
  }

  private async answer(
    tenant: Tenant,
    filter: LogFilter,
    query: RunLogsQuery,
    request: ServiceRequest,
    reply: FastifyReply,
  ): Promise<Page<LogLineDto> | undefined> {
    if (!query.follow) {
      const { order, limit } = query;
      const position = decodeCursor(query.cursor, LOG_ID);
      const cursor = position === null ? null : BigInt(position);
      const page = await this.logs.list(tenant.id, filter, { order, cursor, limit });
      return page.map(toLogLineDto);
    }
    if (query.order === 'desc')
      throw new ServiceError('validation_failed', {
        details: [{ path: 'order', message: 'must be asc with follow=true: a stream has no newest line' }],
      });
    const resumedAt = resumedAfter(request);
    const permit = this.followers.acquirePermit(tenant.id, callerKey(request.caller));
    try {
      const start = await this.logs.start(tenant.id, filter);
      await this.follow(tenant, permit, filter, resumedAt ?? start, request, reply);
    } catch (error) {
      permit.release();
      throw error;
    }
    return undefined;
  }

  private async follow(
    tenant: Tenant,
    permit: Permit,
    filter: LogFilter,
    position: bigint,
    request: ServiceRequest,
    reply: FastifyReply,
  ): Promise<void> {
    // Before the response begins, while a mistake in the route can still be answered.
    const endWatch = watchAccess(request, () => {
      stream.close();
    });
    reply.hijack();
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Otherwise nginx holds lines back until its buffer is full.
      'x-accel-buffering': 'no',
    });
    reply.raw.flushHeaders();
    const stream = new LogStream(reply.raw, tenant.id, filter, position, this.followers.timing.lastLinesMs);
    stream.begin();
    await this.followers.follow(stream, () => {
      endWatch();
      permit.release();
    });
  }
}

function filterOf(query: RunLogsQuery): LogFilter {
  const since = query.since === undefined ? null : new Date(query.since);
  return { runId: null, jobId: null, level: query.level, since };
}

function resumedAfter(request: ServiceRequest): bigint | null {
  const header = request.headers['last-event-id'];
  if (typeof header !== 'string' || header === '') return null;
  if (LOG_ID.test(header)) return BigInt(header);
  throw new ServiceError('validation_failed', {
    details: [{ path: 'Last-Event-ID', message: 'is not the id of an event of this stream' }],
  });
}
