import { Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { Card } from '../../parts/page.js';
import { pathOf, useOrganizationClient, useTenant } from '../../tenant/tenant.js';
import { ChangeOrganization } from '../organizations/change-organization.js';
import { useMembersText } from './text.js';

/** Where this part of the page is, for links to it. */
const HASH = '#organization';

/** Names the organization anew, and deletes it, for those who may. */
export function OrganizationActions(): ReactNode {
  const t = useMembersText();
  const { id, name, slug, may } = useTenant();
  const { orgs } = useOrganizationClient();
  const { hash } = useLocation();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (hash === HASH) place.current?.scrollIntoView();
  }, [hash]);
  const [mayEdit, mayDelete] = [may('auth:orgs:update'), may('auth:orgs:delete')];
  if (!mayEdit && !mayDelete) return null;
  const save = async (names: { name?: string; slug?: string }): Promise<void> => {
    const organization = await orgs.update(names);
    await navigate(`${pathOf(organization)}/members`, { replace: true });
  };
  const remove = async (): Promise<void> => {
    await orgs.delete(id);
    // The start leads to one of those that are left.
    await queries.invalidateQueries({ queryKey: ['organizations'] });
    await navigate('/');
  };
  return (
    <div ref={place}>
      <Card
        title={t('organization')}
        action={
          <Group gap="xs">
            <ChangeOrganization
              organization={{ name, slug }}
              save={mayEdit ? save : undefined}
              remove={mayDelete ? remove : undefined}
              size="compact-sm"
            />
          </Group>
        }
      >
        <Text size="sm">
          <bdi>{name}</bdi> <code>{slug}</code>
        </Text>
      </Card>
    </div>
  );
}
