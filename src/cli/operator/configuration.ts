import { Logger } from '@nestjs/common';
import { ConfigError, loadConfig } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { CommandError } from '../command-error.js';
import { EXIT } from '../exit-codes.js';

// Standard output is for results.
Logger.overrideLogger(false);

/** The configuration of the server. @throws CommandError with every problem of it */
export function readConfiguration(): Config {
  try {
    return loadConfig();
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(error.message, EXIT.configuration);
    throw error;
  }
}
