import { Combobox, UnstyledButton, useCombobox } from '@mantine/core';
import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { DEPLOYMENT_PATH, useOperatorOrNone } from '../operator/operator.js';
import { NEW_ORGANIZATION_PATH } from '../pages.js';
import { compareNames } from '../parts/compare-names.js';
import { lastPlace } from '../session/last-place.js';
import { useHasOrganizations } from '../session/use-session-options.js';
import { useIsOperator } from '../session/use-session.js';
import { pathOf, useOrganizations, useTenantOrNone } from '../tenant/tenant.js';
import { Initials } from './initials.js';
import classes from './tenant-switcher.module.css';
import { useShellText } from './text.js';

/** With more of them a search field is shown. */
const SEARCHED_FROM = 7;

/** Where one is: an organization, a project, or the deployment. */
interface Place {
  readonly name: string;
  /** What one is there. */
  readonly role: string;
  /** Where its pages are; null where one is in none. */
  readonly path: string | null;
  /** What the tile is of, where one is in none. */
  readonly initial?: string;
}

/** The name of where one is, for the header of narrow screens; nothing where one is in none. */
export function PlaceName(): ReactNode {
  const { name, path } = usePlace();
  return (
    path !== null && (
      <span className={classes.name} dir="auto">
        {name}
      </span>
    )
  );
}

function usePlace(): Place {
  const t = useShellText();
  const hasOrganizations = useHasOrganizations();
  const { data: organizations = [] } = useOrganizations(hasOrganizations);
  const tenant = useTenantOrNone();
  const operator = useOperatorOrNone();
  if (operator !== null)
    return {
      name: t('deployment'),
      role: t(operator.isReadOnly ? 'readOnly' : 'operator'),
      path: operator.path,
    };
  if (tenant !== null) return { name: tenant.name, role: tenant.role ?? tenant.slug, path: tenant.path };
  // With projects, only operators have accounts.
  if (!hasOrganizations) return { name: t('deployment'), role: '', path: null };
  // The pages of the account are in none, and lead back to where one was.
  const last = lastPlace();
  const known = organizations.find(({ id }) => id === last);
  if (known !== undefined) return { name: known.name, role: known.slug, path: null, initial: known.name };
  return { name: t(organizations.length > 0 ? 'organizations' : 'noOrganization'), role: '', path: null };
}

function Current({ place: { name, role, path, initial = '?' } }: { place: Place }): ReactNode {
  return (
    <>
      <Initials name={path === null ? initial : name} />
      <span className={classes.names}>
        <span className={classes.name} dir="auto">
          {name}
        </span>
        <span className={classes.role}>{role}</span>
      </span>
    </>
  );
}

/** Shows where one is, and leads to other organizations and the deployment. */
export function TenantSwitcher(): ReactNode {
  const { data: organizations = [] } = useOrganizations(useHasOrganizations());
  const mayChoose = organizations.length > 0;
  const place = usePlace();
  const tenant = useTenantOrNone();
  const operator = useOperatorOrNone();
  const isOperator = useIsOperator();
  const isAlone =
    tenant?.kind === 'project' || operator?.profile === 'project' || (place.path === null && !mayChoose);
  if (isAlone && !(isOperator && operator === null))
    return (
      <div className={classes.current}>
        <Current place={place} />
      </div>
    );
  return <PlaceSwitcher place={place} />;
}

function PlaceSwitcher({ place }: { place: Place }): ReactNode {
  const t = useShellText();
  const hasOrganizations = useHasOrganizations();
  const { data: organizations = [] } = useOrganizations(hasOrganizations);
  const isOperator = useIsOperator();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [search, setSearch] = useState('');
  const places = [
    ...(isOperator ? [{ path: DEPLOYMENT_PATH, slug: '', name: t('deployment') }] : []),
    ...organizations
      .map(({ slug, name }) => ({ path: pathOf({ slug }), slug, name }))
      .sort((left, right) => compareNames(left.name, right.name)),
  ];
  const isSearched = places.length >= SEARCHED_FROM;
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      combobox.focusTarget();
      setSearch('');
    },
    onDropdownOpen: () => {
      combobox.updateSelectedOptionIndex('active');
      if (isSearched) combobox.focusSearchInput();
    },
  });
  const wanted = search.trim().toLowerCase();
  const shown = places.filter(({ name, slug }) => `${name} ${slug}`.toLowerCase().includes(wanted));
  const { selectFirstOption, resetSelectedOption } = combobox;
  // Once the options are those of the search.
  useEffect(() => {
    if (wanted === '') resetSelectedOption();
    else selectFirstOption();
  }, [wanted, selectFirstOption, resetSelectedOption]);
  const choose = (path: string): void => {
    combobox.closeDropdown();
    const isBetweenOrganizations =
      path !== DEPLOYMENT_PATH &&
      path !== NEW_ORGANIZATION_PATH &&
      place.path !== null &&
      place.path !== DEPLOYMENT_PATH;
    // The section stays; what is shown of one organization is not in another.
    const [section = ''] = isBetweenOrganizations ? pathname.slice(place.path.length + 1).split('/') : [];
    void navigate(`${path}/${section}`.replace(/\/$/, ''));
  };
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={choose}
      withinPortal
      shadow="md"
      radius="md"
      width={320}
      position="bottom-start"
    >
      <Combobox.Target targetType="button" withAriaAttributes>
        <UnstyledButton
          className={classes.current}
          onClick={() => {
            combobox.toggleDropdown();
          }}
        >
          <span className="visually-hidden">
            {t(hasOrganizations ? 'switchOrganization' : 'switchProject')}:{' '}
          </span>
          <Current place={place} />
          <ChevronsUpDown size={15} aria-hidden className={classes.arrows} />
        </UnstyledButton>
      </Combobox.Target>
      <Combobox.Dropdown>
        {isSearched && (
          <Combobox.Search
            value={search}
            onChange={(event) => {
              setSearch(event.currentTarget.value);
            }}
            placeholder={t('findOrganization')}
            aria-label={t('findOrganization')}
          />
        )}
        <Combobox.Options aria-label={t('organizations')}>
          <div role="group" aria-label={t('organizations')} className={classes.options}>
            {shown.map(({ path, slug, name }) => (
              <Combobox.Option key={path} value={path} active={path === place.path}>
                <span className={classes.option}>
                  <Initials name={name} isSmall />
                  <span className={classes.names}>
                    <span className={classes.name} dir="auto">
                      {name}
                    </span>
                    {slug !== '' && <span className={classes.role}>{slug}</span>}
                  </span>
                  {path === place.path && <Check size={14} aria-hidden />}
                </span>
              </Combobox.Option>
            ))}
            {shown.length === 0 && <Combobox.Empty>{t('nothing')}</Combobox.Empty>}
          </div>
          {hasOrganizations && wanted === '' && (
            <Combobox.Option value={NEW_ORGANIZATION_PATH}>
              <span className={classes.option}>
                <Plus size={15} aria-hidden className={classes.plus} />
                {t('createOrganization')}
              </span>
            </Combobox.Option>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
