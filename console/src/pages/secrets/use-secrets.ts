import type { Secret } from '@service/client';
import { useQuery } from '@tanstack/react-query';
import { useTenant } from '../../tenant/tenant.js';

const PAGE_SIZE = 100;
const VAULT = 'vault:';

/** The path in the vault to which a job refers; null where it refers to none. */
export function vaultPathOf(reference: string | undefined): string | null {
  return reference?.startsWith(VAULT) === true ? reference.slice(VAULT.length) : null;
}

/** The secrets of an organization or project: their paths, never their values. */
export function useSecrets({ enabled = true } = {}) {
  const { slug, client } = useTenant();
  return useQuery<Secret[]>({
    queryKey: ['secrets', slug],
    queryFn: ({ signal }) => client.vault.list({ limit: PAGE_SIZE, signal }).all(),
    enabled,
  });
}
