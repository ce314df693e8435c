export { mailPasswordPlace } from './mail/mail-settings.repository.js';
export { ProjectIdentityProfile } from './project-contract.js';
export { ProjectNames } from './project-names.js';
export { ProjectProfileModule } from './project-profile.module.js';
