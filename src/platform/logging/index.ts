export { LoggingModule, ProgramLog, redactor, requestScope } from './program-log.js';
