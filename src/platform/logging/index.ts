export { LoggingModule } from './logging.module.js';
export { ProgramLog } from './program-log.js';
export { redactor } from './redaction.js';
export { requestScope } from './request-scope.js';
