import { Module } from '@nestjs/common';
import type { DynamicModule, LoggerService } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import pretty from 'pino-pretty';
import { secretValues } from '../config/index.js';
import type { Config } from '../config/index.js';
import type { RequestTrace } from '../tracing/index.js';

/** A request, as its log lines name it. */
export interface LoggedRequest {
  readonly id: string;
  /** Null where no spans are recorded. */
  readonly trace: RequestTrace | null;
}

/** Before Node.js 24, an AsyncLocalStorage runs hooks at each promise of the process: a fifth of a warm request. */
const IS_FOLLOWED = Number.parseInt(process.versions.node, 10) >= 24;
const current = new AsyncLocalStorage<LoggedRequest>();

/** Names the request in all log lines of the work that it sets going, where Node.js can follow that without hooks. */
export function followRequest({ id, trace }: LoggedRequest, work: () => void): void {
  // A copy, since what goes on after the answer, such as a timer, would hold on to the whole request.
  if (IS_FOLLOWED) current.run({ id, trace }, work);
  else work();
}

/** What names the request in its log lines. */
export function requestFields({ id, trace }: LoggedRequest): Record<string, string> {
  return trace === null ? { request_id: id } : { request_id: id, trace_id: trace.context.traceId };
}

/** Credentials by their shape: JSON Web Tokens, API keys, handler-signing secrets. */
const CREDENTIALS = /eyJ[\w-]+\.[\w-]+\.[\w-]*|svc_[A-Za-z0-9]{8}_[A-Za-z0-9]+|whsec_[A-Za-z0-9+/=]+/g;
const REDACTED = '[redacted]';

/** Makes a function that takes known secrets, and whatever looks like a credential, out of a log line. */
export function redactor(secrets: readonly string[]): (line: string) => string {
  // Short secrets would blot out ordinary words; the configuration refuses none, so they are left alone.
  const needles = secrets
    .filter((secret) => secret.length >= 6)
    .map((secret) => JSON.stringify(secret).slice(1, -1))
    .sort((left, right) => right.length - left.length);
  return (line) =>
    needles.reduce((text, needle) => text.replaceAll(needle, REDACTED), line).replace(CREDENTIALS, REDACTED);
}

/** Nest's own start messages, a line for each module and route: useful only for debugging them. */
const FRAMEWORK_CONTEXTS = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** An error's name, code, message and stack; never the statement parameters or rows that drivers attach. */
function describeError(error: Error & { code?: unknown }): Record<string, unknown> {
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(typeof error.code === 'string' ? { code: error.code } : {}),
    ...(error.cause instanceof Error ? { cause: describeError(error.cause) } : {}),
  };
}

/** Whether lines are for people. */
function isForPeople({ log: { format } }: Config, isStandardOutput: boolean): boolean {
  return format === 'pretty' || (format === 'auto' && isStandardOutput && process.stdout.isTTY);
}

/** One line for people: the time of day, the level, what speaks, the message, and the other fields behind it. */
function prettyLines(destination: DestinationStream): DestinationStream {
  return pretty({
    colorize: process.stdout.isTTY,
    sync: true,
    destination,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    messageFormat: '{if context}{context}: {end}{msg}',
    ignore: 'context',
  });
}

/** Structured lines, on standard output by default: one JSON object each, with the request id where there is one. */
export class ProgramLog implements LoggerService {
  private readonly pino: Logger;

  /** @param given in place of standard output */
  constructor(config: Config, given?: DestinationStream) {
    const destination = given ?? pino.destination({ fd: 1, sync: true });
    const redact = redactor(secretValues(config));
    this.pino = pino(
      {
        level: config.log.level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        serializers: { err: describeError },
        mixin: () => {
          const request = current.getStore();
          return request === undefined ? {} : requestFields(request);
        },
        hooks: { streamWrite: redact },
      },
      isForPeople(config, given === undefined) ? prettyLines(destination) : destination,
    );
  }

  /** Whether lines of this level are written. */
  isLogged(level: 'debug' | 'info'): boolean {
    return this.pino.isLevelEnabled(level);
  }

  /** A line with fields of its own, such as the access log's. */
  event(level: 'debug' | 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown>): void {
    this.pino[level](fields, message);
  }

  /** A line about what was thrown. */
  failure(message: string, thrown: unknown, fields: Record<string, unknown>): void {
    const err = thrown instanceof Error ? thrown : new Error(JSON.stringify(thrown));
    this.pino.error({ err, ...fields }, message);
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.write(FRAMEWORK_CONTEXTS.has(String(rest.at(-1))) ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  /** Nest appends the logger's context as the last argument. */
  private write(
    level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal',
    message: unknown,
    rest: unknown[],
  ): void {
    const texts = rest.filter((part) => typeof part === 'string');
    const context = texts.at(-1);
    if (message instanceof Error) {
      this.pino[level]({ err: message, context }, texts.length > 1 ? texts[0] : message.message);
    } else {
      const text = typeof message === 'string' ? message : JSON.stringify(message);
      this.pino[level]({ context, ...(texts.length > 1 ? { stack: texts[0] } : {}) }, text);
    }
  }
}

@Module({})
export class LoggingModule {
  static register(log: ProgramLog): DynamicModule {
    return {
      module: LoggingModule,
      global: true,
      providers: [{ provide: ProgramLog, useValue: log }],
      exports: [ProgramLog],
    };
  }
}
