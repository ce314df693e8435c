import {
  baseUrl,
  hostName,
  hostPattern,
  schemaName,
  serverAddress,
  trustedProxies,
  url,
  webOrigin,
} from '../schema/formats.js';
import { headerList } from '../schema/header-list.js';
import { choice, filePath, flag, fraction, integer, listOf, secret, text } from '../schema/kind.js';
import { postgresUrl } from '../schema/postgres-url.js';
import { optional, section, setting } from '../schema/setting.js';
import type { Condition } from '../schema/setting.js';

const withExternalDatabase: Condition = {
  wording: 'when database.url is set',
  holds: (facts) => facts.hasExternalDatabase,
};

export const server = section('The HTTP listener and the process.', {
  data_dir: setting(filePath(), {
    default: '.service',
    doc: 'Folder of the embedded PostgreSQL and Redis and of generated keys, relative to the working directory.',
  }),
  host: setting(hostName(), {
    default: '127.0.0.1',
    exception: { when: withExternalDatabase, value: '0.0.0.0' },
    doc: 'Address on which the program listens.',
  }),
  port: setting(integer(0, 65_535), {
    default: 8080,
    doc: 'Port on which the program listens; 0 takes any free one.',
  }),
  body_limit_bytes: setting(integer(1_024, 104_857_600), {
    default: 1_048_576,
    doc: 'Largest request body that is read.',
  }),
  trust_proxy: setting(trustedProxies(), {
    default: false,
    doc: 'Proxies whose X-Forwarded-For and X-Forwarded-Host are believed: how many stand in front, or which.',
  }),
  allowed_hosts: setting(listOf(hostPattern()), {
    default: [],
    doc: 'Hosts that requests may be for, without port; a request for another gets 421. With none, any.',
  }),
  cors_origins: setting(listOf(webOrigin()), {
    default: [],
    doc: 'Origins whose pages may call the service, each by itself, or "*" for all; with none, no CORS header is sent.',
  }),
  unread_secs: setting(integer(1, 3_600), {
    default: 30,
    doc: 'How long a response may wait until its reader takes more of it; then the connection is closed.',
  }),
  drain_secs: setting(integer(0, 3_600), {
    default: 30,
    doc: 'How long running requests and handlers may go on after SIGTERM.',
  }),
});

export const database = section('PostgreSQL.', {
  url: optional(secret(postgresUrl()), {
    example: 'postgres://service:password@localhost:5432/service',
    doc: 'Database to use; without it the program runs its own under server.data_dir. Of several hosts with commas between them, the program follows the one that accepts writes.',
  }),
  schema: setting(schemaName(), {
    default: 'service',
    doc: 'Schema that holds everything of the program in the database; it is created when missing.',
  }),
  pool_size: setting(integer(2, 100), {
    default: 10,
    doc: 'Most connections that one instance holds.',
  }),
});

export const redis = section('Redis, for dispatching runs; it may be lost without losing a run.', {
  url: optional(secret(url('redis', 'rediss')), {
    example: 'redis://:password@localhost:6379/0',
    doc: 'Redis to use; without it the program runs its own under server.data_dir.',
  }),
  sentinels: optional(listOf(serverAddress()), {
    example: ['sentinel-1:26379', 'sentinel-2:26379'],
    doc: 'Sentinels that know where the primary is. The host of redis.url is then the name that they know it by.',
  }),
  sentinel_password: optional(secret(text()), {
    example: 'env:SENTINEL_PASSWORD',
    doc: 'Password of the Sentinels, where it is needed.',
  }),
});

export const admin = section("The operator's interface, /admin/v1.", {
  token: optional(secret(text()), {
    example: 'env:ADMIN_TOKEN',
    doc: 'Bearer token of the operator; without it the interface does not exist, except with the embedded database, where one is generated.',
  }),
});

export const webConsole = section('The console: pages for members and operators, at /console.', {
  enabled: setting(flag(), {
    default: true,
    doc: 'Whether instances of role api serve the console.',
  }),
});

export const log = section('Log lines, written to standard output.', {
  level: setting(choice('fatal', 'error', 'warn', 'info', 'debug', 'trace'), {
    default: 'info',
    doc: 'Lowest level that is written.',
  }),
  format: setting(choice('auto', 'json', 'pretty'), {
    default: 'auto',
    doc: 'One JSON object a line, or lines that people read; "auto" writes those on a terminal and JSON elsewhere.',
  }),
});

export const telemetry = section('OpenTelemetry: traces of requests and runs, sent to a collector.', {
  otlp_url: optional(baseUrl(), {
    example: 'http://localhost:4318',
    doc: 'Collector that takes OTLP over HTTP, without /v1/traces; without it no spans are made.',
  }),
  otlp_headers: optional(secret(headerList()), {
    example: 'authorization=Bearer%20token',
    doc: 'Headers of each request to the collector, as "name=value,name=value"; what is not ASCII, commas and % are percent-encoded.',
  }),
  service_name: setting(text(), {
    default: 'service',
    doc: 'The name of this deployment in traces, as service.name.',
  }),
  sample_ratio: setting(fraction(), {
    default: 1,
    doc: 'Share of the traces that are recorded; for a trace that a caller began, the caller decides.',
  }),
});
