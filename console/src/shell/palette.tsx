import '@mantine/spotlight/styles.layer.css';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';
import { Activity, Building2, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { tenantPages } from '../pages.js';
import { pathOf, useOrganizations, useTenantOrNone } from '../tenant/tenant.js';
import { useShellText } from './text.js';

const [store, spotlight] = createSpotlight();
const RUN_ID = /^run_\w{10,}$/;

interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Leads to pages, organizations and a run by its id, from the keyboard (Ctrl-K). */
export default function Palette({ isOpen, onClose }: PaletteProps): ReactNode {
  const t = useShellText();
  const tenant = useTenantOrNone();
  const { data: organizations = [] } = useOrganizations();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  useEffect(() => {
    if (isOpen) spotlight.open();
  }, [isOpen]);

  const go = (to: string) => () => {
    void navigate(to);
  };
  const pages: SpotlightActionData[] = tenantPages.flatMap(({ path, navigation }) =>
    tenant === null || navigation === undefined || navigation.isFor?.(tenant) === false
      ? []
      : [
          {
            id: `page:${path}`,
            label: t(navigation.title),
            leftSection: <navigation.icon size={16} aria-hidden />,
            onClick: go(path === '' ? tenant.path : `${tenant.path}/${path}`),
          },
        ],
  );
  const wanted = query.trim();
  if (tenant !== null && RUN_ID.test(wanted))
    pages.unshift({
      id: 'run',
      label: t('runById', { id: wanted }),
      leftSection: <Activity size={16} aria-hidden />,
      onClick: go(`${tenant.path}/runs/${wanted}`),
    });
  const others: SpotlightActionData[] = organizations
    .filter(({ id }) => id !== tenant?.id)
    .map((organization) => ({
      id: organization.id,
      label: organization.name,
      keywords: [organization.slug],
      leftSection: <Building2 size={16} aria-hidden />,
      onClick: go(pathOf(organization)),
    }));
  const groups: SpotlightActionGroupData[] = [
    { group: t('pages'), actions: pages },
    { group: t('organizations'), actions: others },
  ];
  return (
    <Spotlight
      store={store}
      actions={groups.filter(({ actions }) => actions.length > 0)}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={() => {
        setQuery('');
        onClose();
      }}
      nothingFound={t('nothing')}
      shortcut={null}
      highlightQuery
      limit={12}
      radius="lg"
      searchProps={{
        leftSection: <Search size={17} aria-hidden />,
        placeholder: t('search'),
        'aria-label': t('search'),
      }}
    />
  );
}
