export { PROJECT_KEY_TYPE, ProjectTokens } from './project-tokens.js';
export type { VerifiedToken } from './project-tokens.js';
export { ProjectDirectory } from './project-directory.js';
export { USER_PERMISSIONS } from './project-holders.js';
export { ProjectKeys } from './keys/project-keys.js';
export { ProjectRepository } from './project.repository.js';
export { ProjectDirectoryModule, ProjectsModule } from './projects.module.js';
export type { Project } from './project.repository.js';
