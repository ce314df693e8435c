import { IsIn } from 'class-validator';
import { EVENT_TYPES } from '../../../tenancy/index.js';
import type { EventType } from '../../../tenancy/index.js';
import { MAX_REFERENCE } from '../../../vault/index.js';
import { JOB_ID } from '../job-id.js';
import {
  DtoField,
  EnumField,
  EnumListField,
  IntField,
  JsonField,
  PatternField,
  PatternListField,
  RawJson,
  TextField,
} from '../../../http/index.js';

export const TRIGGER_TYPES = ['cron', 'webhook', 'data', 'event'] as const;
export const HOOK_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export const SIGNATURE_ALGORITHMS = ['sha256', 'sha1', 'sha512'] as const;
export const SIGNATURE_FORMATS = ['plain', 'github', 'gitlab', 'stripe', 'slack', 'standard'] as const;
export const ROW_EVENTS = ['insert', 'update', 'delete'] as const;
const HOOK_PATH = /^\/hooks\/[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
/** A field name of HTTP (RFC 9110, section 5.1). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const NOT_A_HEADER = 'must be the name of a header';
/** Schema and name. */
const TABLE = /^[^."]{1,63}\.[^."]{1,63}$/;

/** PostgreSQL's names have 63 bytes, and its tables 1,600 columns. */
const COLUMN = /^.{1,63}$/s;
const MAX_COLUMNS = 1_600;
/** Characters. */
const MAX_SCHEDULE = 200;
/** Longer than the names of the IANA zones, characters. */
const MAX_ZONE = 64;
const MAX_FORWARDED = 20;
const MAX_LISTENED_JOBS = 100;
/** One year. */
const MAX_AFTER_MS = 31_536_000_000;

export class CronTriggerDto {
  @EnumField(['cron'])
  type!: 'cron';

  @TextField(0, MAX_SCHEDULE, { example: '*/15 9-17 * * 1-5', description: 'Five fields, as in Vixie cron.' })
  schedule!: string;

  @TextField(0, MAX_ZONE, {
    optional: true,
    default: 'UTC',
    example: 'Europe/Berlin',
    description: 'IANA name.',
  })
  timezone?: string;

  @EnumField(['once', 'skip'], {
    optional: true,
    default: 'once',
    description: 'Whether instants that were missed by more than a minute become one run, or none.',
  })
  misfire?: 'once' | 'skip';

  @JsonField('as it came', {
    optional: true,
    description: 'What the handler gets as body; `{}` when absent.',
  })
  payload?: RawJson;
}

export class WebhookVerificationDto {
  @EnumField(['hmac'])
  type!: 'hmac';

  @PatternField(HEADER_NAME, NOT_A_HEADER, {
    optional: true,
    example: 'X-Signature',
    description: 'Carries the signature; may be left out where the format fixes it.',
  })
  header?: string;

  @TextField(0, MAX_REFERENCE, {
    optional: true,
    example: 'vault:webhooks/shop',
    description: 'A secret of the vault. Left out, the deployment’s `jobs.webhook_secret` serves.',
  })
  secret?: string;

  @EnumField(SIGNATURE_ALGORITHMS, { optional: true, default: 'sha256' })
  algorithm?: (typeof SIGNATURE_ALGORITHMS)[number];

  @EnumField(SIGNATURE_FORMATS, { optional: true, default: 'plain' })
  format?: (typeof SIGNATURE_FORMATS)[number];

  @IntField(1, 86_400, {
    unit: 'seconds',
    optional: true,
    default: 300,
    description: 'How old, or how far ahead, a signed timestamp may be.',
  })
  tolerance_secs?: number;

  @PatternField(HEADER_NAME, NOT_A_HEADER, {
    optional: true,
    example: 'X-Delivery-Id',
    description: 'Carries the id of the delivery, by which a redelivery is known.',
  })
  id_header?: string;
}

export class WebhookTriggerDto {
  @EnumField(['webhook'])
  type!: 'webhook';

  @PatternField(
    HOOK_PATH,
    'must be /hooks/<name>, the name of 1 to 128 letters, digits, ".", "_" or "-", beginning with a letter or digit',
    { example: '/hooks/shop-order' },
  )
  path!: string;

  @EnumField(HOOK_METHODS, { optional: true, default: 'POST' })
  method?: (typeof HOOK_METHODS)[number];

  @DtoField(WebhookVerificationDto, {
    mismatch: 'must be an object: a webhook is taken only with a signature',
  })
  verify!: WebhookVerificationDto;

  @PatternListField(HEADER_NAME, NOT_A_HEADER, {
    of: 'names of headers',
    max: MAX_FORWARDED,
    optional: true,
    example: ['X-GitHub-Event'],
    description:
      'Headers of the call that the handler gets, each as `X-Service-Webhook-<name>`. Headers that carry credentials, ' +
      'and that of the signature, are refused.',
  })
  forward_headers?: string[];
}

export class DataTriggerDto {
  @EnumField(['data'])
  type!: 'data';

  @PatternField(TABLE, 'must be schema.table', { example: 'public.orders' })
  table!: string;

  @EnumListField(ROW_EVENTS, { of: 'events', min: 1, example: ['insert'] })
  events!: (typeof ROW_EVENTS)[number][];

  @PatternListField(COLUMN, 'must be the name of a column', {
    of: 'columns',
    min: 1,
    max: MAX_COLUMNS,
    unique: true,
    optional: true,
    example: ['status'],
    description: 'Of updates, only those that change one of these columns.',
  })
  columns?: string[];
}

export class EventTriggerDto {
  @EnumField(['event'])
  type!: 'event';

  @EnumListField(EVENT_TYPES, {
    of: 'events',
    min: 1,
    example: ['run.failed'],
    description:
      'What the job is run for: once for each event and trigger. The events of users and sessions exist in projects alone.',
  })
  events!: EventType[];

  @PatternListField(JOB_ID, 'must be the id of a job', {
    of: 'ids of jobs',
    min: 1,
    max: MAX_LISTENED_JOBS,
    unique: true,
    optional: true,
    example: ['charge-card'],
    description: 'Of the events of runs and jobs, only those that concern one of these jobs.',
  })
  jobs?: string[];

  @IntField(1, MAX_AFTER_MS, {
    unit: 'milliseconds',
    optional: true,
    example: 2_592_000_000,
    description: 'How long after the event its run is due, up to a year; at once if absent.',
  })
  after_ms?: number;

  @EnumListField(EVENT_TYPES, {
    of: 'events',
    min: 1,
    optional: true,
    example: ['member.added'],
    description: 'With `after_ms`: an event of these about the same subject before the run is due undoes it.',
  })
  unless?: EventType[];
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
