export { followRequest, LoggingModule, ProgramLog, redactor, requestFields } from './program-log.js';
