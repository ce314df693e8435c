export {
  OrganizationConsoleSessionsModule,
  ProjectConsoleSessionsModule,
} from './console-sessions.module.js';
