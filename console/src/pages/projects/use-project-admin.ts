import type { ProjectClient } from '@service/client';
import { useOperator } from '../../operator/operator.js';

type Projects = ProjectClient['admin']['projects'];
export type Project = Awaited<ReturnType<Projects['get']>>;
/** The service key is in the answers that create or replace it, and in no other. */
export type ProjectWithKeys = Awaited<ReturnType<Projects['create']>>;

interface ProjectAdmin {
  readonly projects: Projects;
  readonly path: string;
  readonly isReadOnly: boolean;
}

/** What an operator does with projects, which deployments of the other profile lack. */
export function useProjectAdmin(): ProjectAdmin {
  const { project, path, isReadOnly } = useOperator();
  if (project === null) throw new Error('this deployment has no projects');
  return { projects: project.projects, path: `${path}/projects`, isReadOnly };
}

/** URLs, one per line. */
export function redirectUrlsOf(text: string): string[] {
  return text.split(/\s+/).filter((url) => url !== '');
}

/** Host names, one per line. */
export function hostsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((host) => host !== '');
}
