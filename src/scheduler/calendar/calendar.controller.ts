import { Controller, Query } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import {
  CurrentTenant,
  decodeCursor,
  Endpoint,
  pageOf,
  PatternField,
  QueryCount,
  QueryCursor,
  QueryInstant,
  QueryIntField,
  ServiceError,
} from '../../http/index.js';
import type { Page, Tenant } from '../../http/index.js';
import { JOB_ID } from '../../jobs/index.js';
import { Database } from '../../platform/database/index.js';
import { localTimeAt } from '../cron/index.js';
import { CronTriggerRepository } from '../cron-trigger.repository.js';
import { calendarOf } from './calendar.js';
import type { CalendarEntry, CalendarPosition } from './calendar.js';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;
const MAX_DAYS = 366;

export class CalendarQuery {
  @QueryInstant('From this instant on; now when absent.')
  since?: string;

  @QueryInstant(
    `Before this instant, at most ${MAX_DAYS} days after \`since\`; ${DEFAULT_DAYS} days after it when absent.`,
  )
  until?: string;

  @PatternField(JOB_ID, 'must be the id of a job', { optional: true, description: 'Of this job alone.' })
  job_id?: string;

  @QueryIntField(1, 1000, {
    optional: true,
    description:
      'At most so many instants of each schedule on a page, so that one that fires often hides no other. The next page begins after the last instant of this one: what was left out before that is on no page.',
  })
  per_trigger?: number;

  @QueryCount({ maximum: 1000, absent: 200 })
  limit = 200;

  @QueryCursor()
  cursor?: string;
}

export class CalendarEntryDto {
  @ApiProperty({ example: 'report' })
  job_id!: string;

  @ApiProperty({ type: 'integer', example: 0, description: "Index within the job's triggers." })
  trigger!: number;

  @ApiProperty({ format: 'date-time', example: '2026-03-29T01:00:00.000Z' })
  at!: string;

  @ApiProperty({ example: '30 2 * * *' })
  schedule!: string;

  @ApiProperty({ example: 'Europe/Berlin' })
  timezone!: string;

  @ApiProperty({
    example: '2026-03-29T03:00:00+02:00',
    description: 'The same instant in the time zone of the schedule, with the offset in force then.',
  })
  local_time!: string;

  @ApiProperty({ description: 'Whether the job is paused now; a paused job does not fire.' })
  paused!: boolean;

  @ApiProperty({
    description: 'Whether the schedule fires again before `until`; `per_trigger` left that out.',
  })
  more!: boolean;
}

@ApiTags('Jobs')
@Controller('jobs/v1/schedule')
export class CalendarController {
  constructor(
    private readonly database: Database,
    private readonly triggers: CronTriggerRepository,
  ) {}

  @Endpoint.get('', {
    access: 'jobs:jobs:read',
    summary: 'When the schedules of all jobs fire, in order of time',
    description: 'Includes the jobs that are paused. Changes of the clock are taken into account.',
    response: [CalendarEntryDto],
    errors: ['validation_failed'],
  })
  async list(
    @CurrentTenant() tenant: Tenant,
    @Query() query: CalendarQuery,
  ): Promise<Page<CalendarEntryDto>> {
    const { job_id: jobId = null, per_trigger: perTrigger = null, limit } = query;
    const after = positionOf(query.cursor);
    const { now, triggers } = await this.triggers.ofTenant(this.database.reader, tenant.id, jobId);
    const since = query.since === undefined ? now : new Date(query.since);
    const until =
      query.until === undefined
        ? new Date(since.getTime() + DEFAULT_DAYS * DAY_MS)
        : requireBounded(since, new Date(query.until));
    const found = await calendarOf(triggers, { since, until, limit: limit + 1, perTrigger, after });
    return pageOf(found, limit, cursorOf).map(toEntryDto);
  }
}

/** @throws validation_failed */
function requireBounded(since: Date, until: Date): Date {
  if (until.getTime() - since.getTime() <= MAX_DAYS * DAY_MS) return until;
  throw new ServiceError('validation_failed', {
    details: [{ path: 'until', message: `must be at most ${MAX_DAYS} days after since` }],
  });
}

const CURSOR = new RegExp(`^(\\d{1,16})\\.(\\d{1,9})\\.(${JOB_ID.source.slice(1, -1)})$`);

function cursorOf({ at, trigger }: CalendarEntry): string {
  return `${at.getTime()}.${trigger.position}.${trigger.jobId}`;
}

function positionOf(cursor: string | undefined): CalendarPosition | null {
  const [, at, position, jobId] = CURSOR.exec(decodeCursor(cursor, CURSOR) ?? '') ?? [];
  return jobId === undefined ? null : { at: Number(at), position: Number(position), jobId };
}

function toEntryDto({ at, trigger, more }: CalendarEntry): CalendarEntryDto {
  const { jobId, position, schedule, timezone, paused } = trigger;
  return {
    job_id: jobId,
    trigger: position,
    at: at.toISOString(),
    schedule,
    timezone,
    local_time: localTimeAt(timezone, at),
    paused,
    more,
  };
}
