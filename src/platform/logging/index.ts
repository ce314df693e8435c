export { LoggingModule, ProgramLog, redactor, requestScope } from './program-log.js';
export type { RequestScope } from './program-log.js';
