export { PROJECT_KEY_TYPE, ProjectTokens } from './tokens/project-tokens.js';
export type { VerifiedToken } from './tokens/project-tokens.js';
export { ProjectDirectory } from './project-directory.js';
export { ProjectKeys } from './keys/project-keys.js';
export { ProjectRepository } from './project.repository.js';
export { ProjectTokensModule } from './tokens/project-tokens.module.js';
export { ProjectsModule } from './projects.module.js';
export type { Project } from './project.js';
