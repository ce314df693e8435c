export { followRequest, LoggingModule, ProgramLog, redactor, requestFields } from './program-log.js';
export type { LoggedRequest } from './program-log.js';
