export { AccessModule } from './access.module.js';
export { ProjectAccessModule } from './project/index.js';
