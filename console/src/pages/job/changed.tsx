import { useQuery } from '@tanstack/react-query';
import type { Job } from '@service/client';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Instant } from '../../parts/instant.js';
import { useTenant } from '../../tenant/tenant.js';
import { useAuditText } from '../audit/text.js';
import { useJobText } from './text.js';

/** How far the times of a job and of the audit entry of its change may be apart: they are of two clocks. */
const AROUND_MS = 60_000;

/** Who changed the job last, by the audit trail; null for those who may not read it. */
function useChanger({ id, updated_at: updatedAt }: Job): string | null {
  const kind = useAuditText();
  const { slug, organization, project, may } = useTenant();
  const { data: actor } = useQuery({
    queryKey: ['changer', slug, id, updatedAt],
    queryFn: async ({ signal }) => {
      const changedAt = Date.parse(updatedAt);
      const distanceOf = ({ at }: { at: string }): number => Math.abs(Date.parse(at) - changedAt);
      const filter = {
        target: `job:${id}`,
        since: new Date(changedAt - AROUND_MS).toISOString(),
        until: new Date(changedAt + AROUND_MS).toISOString(),
        limit: 100,
        signal,
      };
      const entries = organization === null ? project?.audit.list(filter) : organization.orgs.audit(filter);
      const page = await entries?.page();
      const [nearest] = (page?.items ?? []).sort((one, other) => distanceOf(one) - distanceOf(other));
      return nearest?.actor ?? null;
    },
    enabled: may('auth:audit:read'),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  if (actor == null) return null;
  const { type, name } = actor;
  // Members choose the names of API keys, which may be addresses.
  return type === 'user' && name !== null ? name : [kind(type), name].filter(Boolean).join(' ');
}

/** When the job changed last, and by whom; it leads to all of its changes. */
export function Changed({ job }: { job: Job }): ReactNode {
  const t = useJobText();
  const { path, may } = useTenant();
  const changer = useChanger(job);
  const at = <Instant at={job.updated_at} />;
  if (!may('auth:audit:read')) return at;
  return (
    <Link to={`${path}/audit?target=${encodeURIComponent(`job:${job.id}`)}`}>
      {at} {changer !== null && <bdi>{t('changedBy', { name: changer })}</bdi>}
    </Link>
  );
}
