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
export const EXAMPLES = ['job', 'webhook', 'schedule'] as const;
export type Example = (typeof EXAMPLES)[number];

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

/** The manifest with one more job, or with one more trigger of its last job. */
export function withExample({ jobs, ...others }: ManifestText, example: Example): ManifestText {
  if (example === 'job') return { ...others, jobs: [...jobs, exampleJob(jobs)] };
  const last = jobs.at(-1) ?? exampleJob(jobs);
  const triggers: unknown[] = Array.isArray(last.triggers) ? last.triggers : [];
  return {
    ...others,
    jobs: [...jobs.slice(0, -1), { ...last, triggers: [...triggers, triggerOf(example)] }],
  };
}

export function textOf(manifest: ManifestText): string {
  return JSON.stringify(manifest, null, 2);
}
