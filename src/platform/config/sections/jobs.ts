import { handlerUrl, url, webhookSecret } from '../schema/formats.js';
import {
  choice,
  filePath,
  flag,
  fraction,
  integer,
  listOf,
  secret,
  text,
  textMatching,
} from '../schema/kind.js';
import { entriesOf, optional, section, setting } from '../schema/setting.js';

export const jobs = section('Background jobs.', {
  worker_count: setting(integer(1, 1_000), {
    default: 4,
    doc: 'Runs that one worker instance works on at one time.',
  }),
  scheduler_interval_ms: setting(integer(100, 60_000), {
    default: 1_000,
    doc: 'Time between two looks at the schedules.',
  }),
  default_timeout_ms: setting(integer(1, 86_400_000), {
    default: 600_000,
    doc: 'Time limit of an attempt where the job states none.',
  }),
  webhook_secret: optional(secret(webhookSecret()), {
    example: 'env:WEBHOOK_SECRET',
    doc: 'Verifies inbound webhooks whose trigger names no secret.',
  }),
  max_org_concurrent_runs: setting(integer(1, 100_000), {
    default: 50,
    doc: 'Runs that one organization or project may have in work at one time, over all instances.',
  }),
  max_org_worker_share: setting(fraction(), {
    default: 0.75,
    doc: 'Part of the slots of one worker that one organization or project may hold; one slot is always left to others where there is more than one.',
  }),
  max_payload_bytes: setting(integer(1, 104_857_600), {
    default: 1_048_576,
    doc: 'Largest body of a trigger or a webhook.',
  }),
  retention_days: setting(integer(1, 36_500), {
    default: 30,
    doc: 'How long finished runs and their logs are kept.',
  }),
  data_event_schemas: setting(
    // PostgreSQL cuts longer identifiers (NAMEDATALEN - 1).
    listOf(textMatching(/^[^\0]{1,63}$/, 'the name of a schema, of 1 to 63 characters')),
    {
      default: ['public'],
      doc: 'Schemas whose tables data event triggers may watch.',
    },
  ),
  private_endpoints: setting(flag(), {
    default: false,
    doc: 'Whether jobs may have URLs with loopback and private addresses, or without TLS, as handlers.',
  }),
  bundle_dir: optional(filePath(), {
    example: 'bundle',
    doc: 'Deploy bundle (jobs.json and functions/) that is registered at start.',
  }),
  bundle_org: optional(text(), {
    example: 'acme',
    doc: 'Slug or id of the organization that the bundle belongs to, in profile organization.',
  }),
  bundle_project: optional(text(), {
    example: 'acme',
    doc: 'Ref of the project that the bundle belongs to, in profile project.',
  }),
});

export const functions = section('Where the handlers of jobs are.', {
  url: optional(handlerUrl(), {
    example: 'https://functions.example.com/{handler}',
    doc: 'Address of any handler: {handler} becomes its name, {org} the id of its organization or project.',
  }),
  handlers: entriesOf(url('http', 'https'), {
    example: { welcome: 'https://example.com/welcome' },
    doc: 'Addresses of single handlers by name, also as a table [functions.handlers].',
  }),
  dir: optional(filePath(), {
    example: 'functions',
    doc: 'Folder of <name>.mjs or <name>.ts files that the worker serves itself; by default functions/ of the bundle.',
  }),
  isolation: setting(choice('process', 'none'), {
    default: 'process',
    doc: "How functions of dir are kept from the program's secrets: as another user where the program runs as root, else by Node's permission model; none lets them read whatever the program may.",
  }),
});
