import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { CommanderError } from 'commander';
import { ConfigError } from '../platform/config/index.js';
import { buildProgram } from './program.js';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
/** EX_CONFIG of sysexits.h, as the server ends with. */
const EXIT_CONFIG = 78;

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Of several addresses that refuse, each has a reason of its own.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error.message;
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n`);
    return EXIT_CONFIG;
  }
  process.stderr.write(`error: ${messageOf(error)}\n`);
  return EXIT_FAILED;
}

// Standard output is for results.
Logger.overrideLogger(false);
try {
  await buildProgram().parseAsync();
} catch (error) {
  process.exitCode = report(error);
}
