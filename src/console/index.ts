export { OrganizationConsoleModule, ProjectConsoleModule } from './console.module.js';
