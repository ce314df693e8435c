export { ProjectProfileModule } from './project-profile.module.js';
