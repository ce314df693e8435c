export { OrganizationConsoleModule } from './console.module.js';
