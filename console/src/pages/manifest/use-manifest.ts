import { useSessionStorage } from '@mantine/hooks';
import { jobChanges } from '@service/client';
import type { FieldChange, JobChange, Manifest } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { hasRounded } from '../../parts/rounded.js';
import { messageOf } from '../../parts/queries.js';
import { useTenant } from '../../tenant/tenant.js';
import type { Tenant } from '../../tenant/tenant.js';
import { vaultPathOf } from '../secrets/use-secrets.js';
import { useManifestText } from './text.js';

/** What happens to a job, and to which of its values where they are known. */
export interface PlannedChange extends JobChange {
  readonly fields: readonly FieldChange[];
  /** The path in the vault of the secret by which its webhook verifies calls; null where it has none. */
  readonly secretPath: string | null;
}

/** How many texts that were replaced can be brought back. */
const MOST_REPLACED = 20;

interface Draft {
  readonly text: string;
  readonly write: (text: string) => void;
  /** Puts another text in its place, as a file or an example does. */
  readonly replace: (text: string) => void;
  /** Brings back what was replaced last; null where nothing was. */
  readonly undo: (() => void) | null;
}

/** The text that is being written, and those that it replaced, which a reload of the page keeps. */
export function useDraft(): Draft {
  const { slug } = useTenant();
  const key = `service.console.manifest.${slug}`;
  const [text, write] = useSessionStorage({ key, defaultValue: '', getInitialValueInEffect: false });
  const [replaced, setReplaced] = useSessionStorage<readonly string[]>({
    key: `${key}.replaced`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const last = replaced.at(-1);
  return {
    text,
    write,
    replace: (by) => {
      if (text.trim() !== '' && text !== by) setReplaced([...replaced, text].slice(-MOST_REPLACED));
      write(by);
    },
    undo:
      last === undefined
        ? null
        : () => {
            write(last);
            setReplaced(replaced.slice(0, -1));
          },
  };
}

/** Compares the text with what is registered, or registers it. */
export function useRegister(text: string, prune: boolean) {
  const t = useManifestText();
  const tenant = useTenant();
  return useMutation({
    mutationFn: async (dryRun: boolean) => {
      let manifest: Manifest;
      try {
        manifest = JSON.parse(text) as Manifest;
      } catch (error) {
        throw new Error(t('notJson', { problem: messageOf(error) }), { cause: error });
      }
      if (hasRounded(manifest)) throw new Error(t('rounded'));
      // Before they are registered: afterwards nothing differs.
      const fieldsOf = await differences(tenant, manifest);
      const changes = await tenant.client.jobs.register(manifest, { prune, dryRun });
      return {
        dryRun,
        changes: changes.map((change) => ({
          ...change,
          fields: fieldsOf(change),
          secretPath: secretPathOf(manifest, change),
        })),
      };
    },
  });
}

/** Nothing for those who may register jobs and not read them. */
async function differences(
  { client, may }: Tenant,
  manifest: Manifest,
): Promise<(change: JobChange) => readonly FieldChange[]> {
  if (!may('jobs:jobs:read')) return () => [];
  const registered = new Map((await client.jobs.list({ limit: 100 }).all()).map((job) => [job.id, job]));
  return ({ id, change }) => {
    const [job, definition] = [registered.get(id), manifest.jobs.find((defined) => defined.id === id)];
    return change === 'updated' && job !== undefined && definition !== undefined
      ? jobChanges(job, definition)
      : [];
  };
}

function secretPathOf({ jobs }: Manifest, { id }: JobChange): string | null {
  const triggers = jobs.find((job) => job.id === id)?.triggers ?? [];
  const hook = triggers.find((trigger) => trigger.type === 'webhook');
  return vaultPathOf(hook?.verify.secret);
}
