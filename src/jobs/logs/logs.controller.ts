import { Controller, Param, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentTenant, decodeCursor, Endpoint, sendPage, ServiceError } from '../../platform/http/index.js';
import type { ServiceRequest, Tenant } from '../../platform/http/index.js';
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
  'Oldest first. With `follow=true` Server-Sent Events: each has a line as data and an id to resume from. ' +
  'The first, `event: start`, has an id alone.';

@ApiTags('Jobs')
@Controller('jobs/v1')
export class LogsController {
  constructor(
    private readonly logs: Logs,
    private readonly followers: LogFollowers,
  ) {}

  @Endpoint.get('runs/:id/logs', {
    access: 'jobs:logs:read',
    summary: 'What a run went through, and what its handler printed',
    description: `${FOLLOWING} The stream begins with the history and closes with \`event: end\` when the run has ended.`,
    response: [LogLineDto],
    errors: ['validation_failed', 'run_not_found', 'overloaded', 'unavailable'],
  })
  @ApiHeader(LAST_EVENT_ID)
  async ofRun(
    @CurrentTenant() tenant: Tenant,
    @Param('id') runId: string,
    @Query() query: RunLogsQuery,
    @Req() request: ServiceRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LogLineDto[] | undefined> {
    return await this.answer(tenant, { ...filterOf(query), runId }, query, request, reply);
  }

  @Endpoint.get('logs', {
    access: 'jobs:logs:read',
    summary: 'Logs of all runs',
    description: `${FOLLOWING} The stream begins with what is new.`,
    response: [LogLineDto],
    errors: ['validation_failed', 'overloaded', 'unavailable'],
  })
  @ApiHeader(LAST_EVENT_ID)
  async ofAll(
    @CurrentTenant() tenant: Tenant,
    @Query() query: LogsQuery,
    @Req() request: ServiceRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LogLineDto[] | undefined> {
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
  ): Promise<LogLineDto[] | undefined> {
    if (!query.follow) {
      const after = query.cursor === undefined ? 0n : BigInt(decodeCursor(query.cursor, LOG_ID));
      const page = await this.logs.list(tenant.id, filter, after, query.limit);
      return sendPage(page, request, reply).map(toLogLineDto);
    }
    this.followers.demandRoom(tenant.id);
    const start = await this.logs.start(tenant.id, filter);
    const position = resumedAfter(request) ?? start;
    reply.hijack();
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // nginx would else keep lines back until its buffer is full.
      'x-accel-buffering': 'no',
    });
    reply.raw.flushHeaders();
    const stream = new LogStream(reply.raw, tenant.id, filter, position);
    const endWatch = request.watchAccess?.(() => {
      stream.close();
    });
    stream.onClose(() => endWatch?.());
    stream.begin();
    await this.followers.follow(stream);
    return undefined;
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
