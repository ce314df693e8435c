import { Module } from '@nestjs/common';
import type { DynamicModule, LoggerService } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import pretty from 'pino-pretty';
import { secretValues } from '../config/index.js';
import type { Config } from '../config/index.js';
import type { RequestTrace } from '../tracing/index.js';

/** What every log line of a request carries. */
export interface RequestScope {
  readonly requestId: string;
  /** The caller's W3C trace context as `keptTrace` writes it, passed on to handlers (https://www.w3.org/TR/trace-context/). */
  readonly traceParent: string | null;
  /** Null where no spans are recorded. */
  readonly trace: RequestTrace | null;
}

export const requestScope = new AsyncLocalStorage<RequestScope>();

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
          const scope = requestScope.getStore();
          if (scope === undefined) return {};
          const { requestId: request_id, trace } = scope;
          return trace === null ? { request_id } : { request_id, trace_id: trace.context.traceId };
        },
        hooks: { streamWrite: redact },
      },
      isForPeople(config, given === undefined) ? prettyLines(destination) : destination,
    );
  }

  /** A line with fields of its own, such as the access log's. */
  event(level: 'debug' | 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown>): void {
    this.pino[level](fields, message);
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
