export { ProjectProfileModule } from './project-profile.module.js';
export { ProjectIdentityProfile } from './project-identity-profile.js';
