import { useSessionStorage } from '@mantine/hooks';
import { jobChanges } from '@service/client';
import type { FieldChange, JobChange, Manifest } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../parts/queries.js';
import { useTenant } from '../../tenant/tenant.js';
import type { Tenant } from '../../tenant/tenant.js';
import { useManifestText } from './text.js';

/** What happens to a job, and to which of its values where they are known. */
export interface PlannedChange extends JobChange {
  readonly fields: readonly FieldChange[];
}

/** The text that is being written, which a reload of the page keeps. */
export function useDraft(): [string, (text: string) => void] {
  const { slug } = useTenant();
  const [draft, setDraft] = useSessionStorage({
    key: `service.console.manifest.${slug}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  return [draft, setDraft];
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
      // Before they are registered: afterwards nothing differs.
      const fieldsOf = await differences(tenant, manifest);
      const changes = await tenant.client.jobs.register(manifest, { prune, dryRun });
      return { dryRun, changes: changes.map((change) => ({ ...change, fields: fieldsOf(change) })) };
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
