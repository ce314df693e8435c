export { LOG_LEVELS } from './log-line.js';
export type { LogLevel } from './log-line.js';
export { LogWriter } from './log-writer.js';
export { LogRepository } from './log.repository.js';
export { RunLogsModule } from './logs.module.js';
