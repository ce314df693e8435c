export { LogWriter } from './log-writer.js';
export { RunLogsModule } from './logs.module.js';
