export { ProjectAccessModule } from './project-access.module.js';
