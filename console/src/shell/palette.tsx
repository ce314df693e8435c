import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/spotlight/styles.layer.css';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';
import { Activity, Boxes, Building2, Plus, Search, Server, UserRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { DEPLOYMENT_PATH } from '../operator/operator.js';
import { ACCOUNT_PATH, NEW_ORGANIZATION_PATH } from '../pages.js';
import { useHasOrganizations } from '../session/use-session-options.js';
import { useHasOwnAccount, useIsOperator } from '../session/use-session.js';
import { useJobNames } from '../tenant/job-names.js';
import { pathOf, useOrganizations, useTenantOrNone } from '../tenant/tenant.js';
import { useShellText } from './text.js';
import { useNavigation } from './use-navigation.js';

const [store, spotlight] = createSpotlight();
const RUN_ID = /^run_\w{10,}$/;

interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Leads to pages, jobs, organizations and a run by its id, from the keyboard (Ctrl-K). */
export default function Palette({ isOpen, onClose }: PaletteProps): ReactNode {
  const t = useShellText();
  const tenant = useTenantOrNone();
  const hasOwnAccount = useHasOwnAccount();
  const hasOrganizations = useHasOrganizations();
  const { data: organizations = [] } = useOrganizations(hasOrganizations);
  const isOperator = useIsOperator();
  const jobNames = useJobNames() ?? [];
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  useEffect(() => {
    if (isOpen) spotlight.open();
  }, [isOpen]);

  const go = (to: string) => () => {
    void navigate(to);
  };
  const pages: SpotlightActionData[] = useNavigation().map(({ to, title, icon: Icon }) => ({
    id: `page:${to}`,
    label: t(title),
    leftSection: <Icon size={16} aria-hidden />,
    onClick: go(to),
  }));
  if (hasOwnAccount)
    pages.push({
      id: 'account',
      label: t('ownAccount'),
      leftSection: <UserRound size={16} aria-hidden />,
      onClick: go(ACCOUNT_PATH),
    });
  if (hasOrganizations)
    pages.push({
      id: 'new-organization',
      label: t('createOrganization'),
      leftSection: <Plus size={16} aria-hidden />,
      onClick: go(NEW_ORGANIZATION_PATH),
    });
  const wanted = query.trim();
  if (tenant !== null && RUN_ID.test(wanted))
    pages.unshift({
      id: 'run',
      label: t('runById', { id: wanted }),
      leftSection: <Activity size={16} aria-hidden />,
      onClick: go(`${tenant.path}/runs/${wanted}`),
    });
  const jobs: SpotlightActionData[] =
    tenant === null
      ? []
      : jobNames.map(({ id, name }) => ({
          id: `job:${id}`,
          label: name,
          description: id,
          leftSection: <Boxes size={16} aria-hidden />,
          onClick: go(`${tenant.path}/jobs/${encodeURIComponent(id)}`),
        }));
  const others: SpotlightActionData[] = organizations
    .filter(({ id }) => id !== tenant?.id)
    .map((organization) => ({
      id: organization.id,
      label: organization.name,
      keywords: [organization.slug],
      leftSection: <Building2 size={16} aria-hidden />,
      onClick: go(pathOf(organization)),
    }));
  if (isOperator)
    others.unshift({
      id: 'deployment',
      label: t('deployment'),
      leftSection: <Server size={16} aria-hidden />,
      onClick: go(DEPLOYMENT_PATH),
    });
  const groups: SpotlightActionGroupData[] = [
    { group: t('pages'), actions: pages },
    { group: t('jobs'), actions: jobs },
    { group: t('organizations'), actions: others },
  ];
  return (
    <Spotlight
      store={store}
      // Its dialog has no heading.
      attributes={{ content: { 'aria-label': t('search') } }}
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
