import type { ResolvedProject } from '../../../platform/http/index.js';

/** The projects there are, which identity names in mails and pages but does not keep. The module that keeps them provides this. */
export abstract class ProjectNames {
  abstract findById(id: string): Promise<ResolvedProject | null>;
  abstract findByRef(ref: string): Promise<ResolvedProject | null>;
}
