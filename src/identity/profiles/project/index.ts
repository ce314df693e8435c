export { mailPasswordAssociatedData } from './mail/mail-settings.js';
export { ProjectIdentityProfile } from './project-contract.js';
export { ProjectNames } from './projects.js';
export { ProjectProfileModule } from './project-profile.module.js';
