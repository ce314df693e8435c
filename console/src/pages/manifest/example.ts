import { hasRounded } from '../../parts/rounded.js';

/** A manifest, as far as examples change it. */
interface ManifestText {
  readonly jobs: readonly JobText[];
}

interface JobText {
  readonly id: string;
  readonly triggers?: unknown;
}

/** What the page can put into a manifest, to be changed there. */
export type Example = 'job' | 'webhook' | 'schedule';

/** The first start has this function, from examples/hello. */
const HANDLER = 'greet';

function triggerOf(example: Exclude<Example, 'job'>): object {
  return example === 'webhook'
    ? {
        type: 'webhook',
        // Paths are those of the whole deployment.
        path: `/hooks/github-${crypto.randomUUID().slice(0, 8)}`,
        verify: { type: 'hmac', format: 'github', secret: 'vault:github/webhook' },
      }
    : {
        type: 'cron',
        schedule: '0 6 * * 1-5',
        timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      };
}

/** An id that no other job of the manifest has. */
function freeId(jobs: readonly JobText[]): string {
  const taken = new Set(jobs.map(({ id }) => id));
  let id = 'my-job';
  for (let number = 2; taken.has(id); number += 1) id = `my-job-${number}`;
  return id;
}

function exampleJob(jobs: readonly JobText[]): JobText & { name: string; handler: string } {
  return { id: freeId(jobs), name: 'My job', handler: HANDLER };
}

/** The manifest that a text is; that of no jobs for a blank text, and null for any other, and where a number is rounded. */
export function manifestOf(text: string): ManifestText | null {
  if (text.trim() === '') return { jobs: [] };
  try {
    const value = JSON.parse(text) as { jobs?: unknown } | null;
    const jobs: unknown = value?.jobs;
    const isManifest = Array.isArray(jobs) && jobs.every((job) => typeof job === 'object' && job !== null);
    return isManifest && !hasRounded(value) ? (value as ManifestText) : null;
  } catch {
    return null;
  }
}

/** The ids of the jobs that a trigger can be put into, each once. */
export function jobIdsOf({ jobs }: ManifestText): string[] {
  return [...new Set(jobs.map(({ id }) => id))].filter((id) => typeof id === 'string' && id !== '');
}

/** Where a trigger goes: into the job of this id, or into the last one. */
function indexOf(jobs: readonly JobText[], jobId: string | null): number {
  const index = jobs.findIndex(({ id }) => id === jobId);
  return index < 0 ? jobs.length - 1 : index;
}

/** The manifest with one more job at its end, or with one more trigger of one of its jobs. */
export function withExample(
  { jobs, ...others }: ManifestText,
  example: Example,
  jobId: string | null = null,
): ManifestText {
  if (example === 'job') return { ...others, jobs: [...jobs, exampleJob(jobs)] };
  const changed = jobs.length === 0 ? [exampleJob(jobs)] : jobs;
  const index = indexOf(changed, jobId);
  const trigger = triggerOf(example);
  return {
    ...others,
    jobs: changed.map((job, at) => {
      if (at !== index) return job;
      const triggers: unknown[] = Array.isArray(job.triggers) ? job.triggers : [];
      return { ...job, triggers: [...triggers, trigger] };
    }),
  };
}

/** How far down in the text of a manifest a job ends, from 0 to 1. */
export function endOf(manifest: ManifestText, jobId: string | null): number {
  const through = manifest.jobs.slice(0, indexOf(manifest.jobs, jobId) + 1);
  return textOf({ ...manifest, jobs: through }).length / textOf(manifest).length;
}

export function textOf(manifest: ManifestText): string {
  return JSON.stringify(manifest, null, 2);
}
