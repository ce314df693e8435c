import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { EVENT_TYPES } from '../../../tenancy/index.js';
import type { EventType } from '../../../tenancy/index.js';
import { JOB_ID } from '../job-id.js';
import { EachItem, JsonObject, NestedDto, Omittable, RawJson } from '../../../http/index.js';

export const TRIGGER_TYPES = ['cron', 'webhook', 'data', 'event'] as const;
export const HOOK_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export const SIGNATURE_ALGORITHMS = ['sha256', 'sha1', 'sha512'] as const;
export const SIGNATURE_FORMATS = ['plain', 'github', 'gitlab', 'stripe', 'slack', 'standard'] as const;
export const ROW_EVENTS = ['insert', 'update', 'delete'] as const;
const HOOK_PATH = /^\/hooks\/[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
/** A field name of HTTP (RFC 9110, section 5.1). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** Schema and name. */
const TABLE = /^[^."]{1,63}\.[^."]{1,63}$/;

/** PostgreSQL's names have 63 bytes; what is longer names no column. Characters. */
const MAX_COLUMN_NAME = 63;
/** Longer than the names of the IANA zones, and than any reference to a secret. Characters. */
const MAX_ZONE = 64;
const MAX_REFERENCE = 300;
const MAX_FORWARDED = 20;
const MAX_LISTENED_JOBS = 100;

export class CronTriggerDto {
  @ApiProperty({ enum: ['cron'] })
  @IsIn(['cron'], { message: 'must be "cron"' })
  type!: 'cron';

  @ApiProperty({
    maxLength: 200,
    example: '*/15 9-17 * * 1-5',
    description: 'Five fields, as in Vixie cron.',
  })
  @IsString({ message: 'must be text' })
  @MaxLength(200, { message: 'must have at most 200 characters: five fields separated by spaces' })
  schedule!: string;

  @ApiPropertyOptional({
    type: String,
    maxLength: MAX_ZONE,
    default: 'UTC',
    example: 'Europe/Berlin',
    description: 'IANA name.',
  })
  @Omittable()
  @IsString({ message: 'must be text' })
  @MaxLength(MAX_ZONE, { message: 'must be the name of an IANA time zone, such as Europe/Berlin' })
  timezone?: string;

  @ApiPropertyOptional({
    enum: ['once', 'skip'],
    default: 'once',
    description: 'Whether instants that were missed by more than a minute become one run, or none.',
  })
  @Omittable()
  @IsIn(['once', 'skip'], { message: 'must be "once" or "skip"' })
  misfire?: 'once' | 'skip';

  @ApiPropertyOptional({ type: Object, description: 'What the handler gets as body; `{}` when absent.' })
  @Omittable()
  @JsonObject('as it came')
  payload?: RawJson;
}

export class WebhookVerificationDto {
  @ApiProperty({ enum: ['hmac'] })
  @IsIn(['hmac'], { message: 'must be "hmac"' })
  type!: 'hmac';

  @ApiPropertyOptional({
    type: String,
    example: 'X-Signature',
    description: 'Carries the signature; may be left out where the format fixes it.',
  })
  @Omittable()
  @Matches(HEADER_NAME, { message: 'must be the name of a header' })
  header?: string;

  @ApiPropertyOptional({
    type: String,
    maxLength: MAX_REFERENCE,
    example: 'vault:webhooks/shop',
    description: 'A secret of the vault. Left out, the deployment’s `jobs.webhook_secret` serves.',
  })
  @Omittable()
  @IsString({ message: 'must be text' })
  @MaxLength(MAX_REFERENCE, { message: `must have at most ${MAX_REFERENCE} characters` })
  secret?: string;

  @ApiPropertyOptional({ enum: SIGNATURE_ALGORITHMS, default: 'sha256' })
  @Omittable()
  @IsIn(SIGNATURE_ALGORITHMS, { message: `must be one of ${SIGNATURE_ALGORITHMS.join(', ')}` })
  algorithm?: (typeof SIGNATURE_ALGORITHMS)[number];

  @ApiPropertyOptional({ enum: SIGNATURE_FORMATS, default: 'plain' })
  @Omittable()
  @IsIn(SIGNATURE_FORMATS, { message: `must be one of ${SIGNATURE_FORMATS.join(', ')}` })
  format?: (typeof SIGNATURE_FORMATS)[number];

  @ApiPropertyOptional({
    type: 'integer',
    default: 300,
    minimum: 1,
    maximum: 86_400,
    description: 'How old, or how far ahead, a signed timestamp may be.',
  })
  @Omittable()
  @IsInt({ message: 'must be a whole number of seconds' })
  @Min(1, { message: 'must be 1 or more' })
  @Max(86_400, { message: 'must be at most 86400' })
  tolerance_secs?: number;

  @ApiPropertyOptional({
    type: String,
    pattern: HEADER_NAME.source,
    example: 'X-Delivery-Id',
    description: 'Carries the id of the delivery, by which a redelivery is known.',
  })
  @Omittable()
  @Matches(HEADER_NAME, { message: 'must be the name of a header' })
  id_header?: string;
}

export class WebhookTriggerDto {
  @ApiProperty({ enum: ['webhook'] })
  @IsIn(['webhook'], { message: 'must be "webhook"' })
  type!: 'webhook';

  @ApiProperty({ pattern: HOOK_PATH.source, example: '/hooks/shop-order' })
  @Matches(HOOK_PATH, {
    message:
      'must be /hooks/<name>, the name of 1 to 128 letters, digits, ".", "_" or "-", beginning with a letter or digit',
  })
  path!: string;

  @ApiPropertyOptional({ enum: HOOK_METHODS, default: 'POST' })
  @Omittable()
  @IsIn(HOOK_METHODS, { message: `must be one of ${HOOK_METHODS.join(', ')}` })
  method?: (typeof HOOK_METHODS)[number];

  @ApiProperty({ type: WebhookVerificationDto })
  @IsObject({ message: 'must be an object: a webhook is taken only with a signature' })
  @NestedDto(() => WebhookVerificationDto)
  verify!: WebhookVerificationDto;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', pattern: HEADER_NAME.source },
    maxItems: MAX_FORWARDED,
    example: ['X-GitHub-Event'],
    description:
      'Headers of the call that the handler gets, each as `X-Service-Webhook-<name>`. Headers that carry credentials, ' +
      'and that of the signature, are refused.',
  })
  @Omittable()
  @IsArray({ message: 'must be a list of names of headers' })
  @ArrayMaxSize(MAX_FORWARDED, { message: `must have at most ${MAX_FORWARDED} names` })
  @IsString({ each: true, message: 'must hold names of headers' })
  @EachItem((name) =>
    typeof name === 'string' && HEADER_NAME.test(name) ? null : 'must be the name of a header',
  )
  forward_headers?: string[];
}

export class DataTriggerDto {
  @ApiProperty({ enum: ['data'] })
  @IsIn(['data'], { message: 'must be "data"' })
  type!: 'data';

  @ApiProperty({ pattern: TABLE.source, example: 'public.orders' })
  @Matches(TABLE, { message: 'must be schema.table' })
  table!: string;

  @ApiProperty({
    minItems: 1,
    maxItems: ROW_EVENTS.length,
    uniqueItems: true,
    enum: ROW_EVENTS,
    isArray: true,
    example: ['insert'],
  })
  @IsArray({ message: 'must be a list' })
  @ArrayMinSize(1, { message: 'must name at least one event' })
  @ArrayMaxSize(ROW_EVENTS.length, { message: 'must name each event once' })
  @ArrayUnique({ message: 'must name each event once' })
  @IsIn(ROW_EVENTS, { each: true, message: `must hold only ${ROW_EVENTS.join(', ')}` })
  events!: (typeof ROW_EVENTS)[number][];

  @ApiPropertyOptional({
    type: [String],
    maxLength: MAX_COLUMN_NAME,
    minItems: 1,
    maxItems: 1600,
    uniqueItems: true,
    example: ['status'],
    description: 'Of updates, only those that change one of these columns.',
  })
  @Omittable()
  @IsArray({ message: 'must be a list' })
  @ArrayMinSize(1, { message: 'must name at least one column' })
  @ArrayMaxSize(1600, { message: 'must name at most 1600 columns' })
  @ArrayUnique({ message: 'must name each column once' })
  @MaxLength(MAX_COLUMN_NAME, { each: true, message: 'must hold names of columns' })
  columns?: string[];
}

export class EventTriggerDto {
  @ApiProperty({ enum: ['event'] })
  @IsIn(['event'], { message: 'must be "event"' })
  type!: 'event';

  @ApiProperty({
    minItems: 1,
    maxItems: EVENT_TYPES.length,
    uniqueItems: true,
    enum: EVENT_TYPES,
    isArray: true,
    example: ['run.failed'],
    description:
      'What the job is run for: once for each event and trigger. The events of users and sessions exist in projects alone.',
  })
  @IsArray({ message: 'must be a list' })
  @ArrayMinSize(1, { message: 'must name at least one event' })
  @ArrayMaxSize(EVENT_TYPES.length, { message: 'must name each event once' })
  @ArrayUnique({ message: 'must name each event once' })
  @EachItem((name) =>
    (EVENT_TYPES as readonly unknown[]).includes(name)
      ? null
      : `is not an event; there are: ${EVENT_TYPES.join(', ')}`,
  )
  events!: EventType[];

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', pattern: JOB_ID.source },
    minItems: 1,
    maxItems: MAX_LISTENED_JOBS,
    uniqueItems: true,
    example: ['charge-card'],
    description: 'Of the events of runs and jobs, only those that concern one of these jobs.',
  })
  @Omittable()
  @IsArray({ message: 'must be a list of ids of jobs' })
  @ArrayMinSize(1, { message: 'must name at least one job' })
  @ArrayMaxSize(MAX_LISTENED_JOBS, { message: `must name at most ${MAX_LISTENED_JOBS} jobs` })
  @ArrayUnique({ message: 'must name each job once' })
  @EachItem((id) => (typeof id === 'string' && JOB_ID.test(id) ? null : 'must be the id of a job'))
  jobs?: string[];
}

/** What stands in for a trigger whose type is none of ours, so that the type is what is refused. */
export class UnknownTriggerDto {
  @IsIn([], { message: `must be one of ${TRIGGER_TYPES.join(', ')}; manual triggers need no declaration` })
  type!: string;
}

/** By what a trigger says that it is. */
export function triggerClassOf({ type }: Readonly<Record<string, unknown>>): new () => object {
  if (type === 'cron') return CronTriggerDto;
  if (type === 'webhook') return WebhookTriggerDto;
  if (type === 'event') return EventTriggerDto;
  return type === 'data' ? DataTriggerDto : UnknownTriggerDto;
}

/** The kinds of trigger that a manifest declares. */
export const TRIGGER_CLASSES = [CronTriggerDto, WebhookTriggerDto, DataTriggerDto, EventTriggerDto] as const;

export type TriggerDto = InstanceType<(typeof TRIGGER_CLASSES)[number]>;

/** A trigger as its job keeps it: its payload is a JSON string with JSON in it, since `jsonb` would rewrite numbers. */
export type StoredTrigger = { readonly type: TriggerDto['type'] } & Readonly<Record<string, unknown>>;

/** Without the classes of the validated manifest, so that it compares equal to the one from the database. */
export function toStoredTrigger(trigger: TriggerDto): StoredTrigger {
  const { payload, ...rest } = trigger as Partial<CronTriggerDto>;
  const plain = JSON.parse(JSON.stringify(rest)) as StoredTrigger;
  return payload === undefined ? plain : { ...plain, payload: payload.text };
}

export function toTriggerDto({ payload, ...rest }: StoredTrigger): TriggerDto {
  const kept = typeof payload === 'string' ? { payload: new RawJson(payload) } : {};
  return { ...rest, ...kept } as unknown as TriggerDto;
}
