import type { Secret } from '@service/client';
import { useQuery } from '@tanstack/react-query';
import { isCode } from '../../parts/queries.js';
import { useTenant } from '../../tenant/tenant.js';

const VAULT = 'vault:';

/** The path in the vault to which a job refers; null where it refers to none. */
export function vaultPathOf(reference: string | undefined): string | null {
  return reference?.startsWith(VAULT) === true ? reference.slice(VAULT.length) : null;
}

/** Null where the vault has none; undefined while that is not known, and for those who may not know it. */
export function useSecret(path: string | null) {
  const { slug, client, may } = useTenant();
  return useQuery<Secret | null>({
    queryKey: ['secret', slug, path],
    queryFn: async ({ signal }) => {
      try {
        return await client.vault.get(path ?? '', { signal });
      } catch (error) {
        if (isCode(error, 'secret_not_found')) return null;
        throw error;
      }
    },
    enabled: path !== null && may('jobs:secrets:read'),
  });
}
