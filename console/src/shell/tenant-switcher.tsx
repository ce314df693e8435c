import { Combobox, ScrollArea, UnstyledButton, useCombobox } from '@mantine/core';
import { Check, ChevronsUpDown } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { pathOf, useOrganizations, useTenantOrNone } from '../tenant/tenant.js';
import type { Tenant } from '../tenant/tenant.js';
import { Initials } from './initials.js';
import classes from './tenant-switcher.module.css';
import { useShellText } from './text.js';

/** With more of them a search field is shown. */
const SEARCHED_FROM = 7;

function Current({ tenant }: { tenant: Tenant | null }): ReactNode {
  const t = useShellText();
  return (
    <>
      <Initials name={tenant?.name ?? '?'} />
      <span className={classes.names}>
        <span className={classes.name} dir="auto">
          {tenant?.name ?? t('noOrganization')}
        </span>
        <span className={classes.role}>{tenant?.role ?? tenant?.slug ?? ''}</span>
      </span>
    </>
  );
}

/** Shows the organization or project, and leads to the same page of another. */
export function TenantSwitcher(): ReactNode {
  const tenant = useTenantOrNone();
  if (tenant === null || tenant.kind === 'project')
    return (
      <div className={classes.current}>
        <Current tenant={tenant} />
      </div>
    );
  return <OrganizationSwitcher tenant={tenant} />;
}

function OrganizationSwitcher({ tenant }: { tenant: Tenant }): ReactNode {
  const t = useShellText();
  const { data: organizations = [] } = useOrganizations();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [search, setSearch] = useState('');
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      combobox.focusTarget();
      setSearch('');
    },
    onDropdownOpen: () => {
      combobox.updateSelectedOptionIndex('active');
    },
  });
  const wanted = search.trim().toLowerCase();
  const shown = organizations
    .filter(({ name, slug }) => `${name} ${slug}`.toLowerCase().includes(wanted))
    .sort((left, right) => left.name.localeCompare(right.name));
  const choose = (slug: string): void => {
    combobox.closeDropdown();
    // The section stays; what is shown of one organization is not in another.
    const [section = ''] = pathname.slice(tenant.path.length + 1).split('/');
    void navigate(`${pathOf({ slug })}/${section}`.replace(/\/$/, ''));
  };
  return (
    <Combobox store={combobox} onOptionSubmit={choose} withinPortal shadow="md" radius="md">
      <Combobox.Target targetType="button" withAriaAttributes>
        <UnstyledButton
          className={classes.current}
          onClick={() => {
            combobox.toggleDropdown();
          }}
        >
          <span className="visually-hidden">{t('switchOrganization')}: </span>
          <Current tenant={tenant} />
          <ChevronsUpDown size={15} aria-hidden className={classes.arrows} />
        </UnstyledButton>
      </Combobox.Target>
      <Combobox.Dropdown>
        {organizations.length >= SEARCHED_FROM && (
          <Combobox.Search
            value={search}
            onChange={(event) => {
              setSearch(event.currentTarget.value);
              combobox.selectFirstOption();
            }}
            placeholder={t('findOrganization')}
            aria-label={t('findOrganization')}
          />
        )}
        <Combobox.Options aria-label={t('organizations')}>
          <ScrollArea.Autosize mah={320} type="auto">
            {shown.map(({ id, slug, name }) => (
              <Combobox.Option key={id} value={slug} active={id === tenant.id}>
                <span className={classes.option}>
                  <Initials name={name} isSmall />
                  <span className={classes.name} dir="auto">
                    {name}
                  </span>
                  {id === tenant.id && <Check size={14} aria-hidden />}
                </span>
              </Combobox.Option>
            ))}
          </ScrollArea.Autosize>
          {shown.length === 0 && <Combobox.Empty>{t('nothing')}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
