import { AppShell, Burger, Kbd, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { AccountMenu } from './account-menu.js';
import { LostConnection } from './lost-connection.js';
import { Mark } from './mark.js';
import classes from './shell.module.css';
import { PlaceName, TenantSwitcher } from './tenant-switcher.js';
import { useShellText } from './text.js';
import { useNavigation } from './use-navigation.js';

const Palette = lazy(() => import('./palette.js'));

function Navigation(): ReactNode {
  const t = useShellText();
  const entries = useNavigation();
  // The room remains, which keeps the account menu at the bottom.
  if (entries.length === 0) return <div className={classes.links} />;
  return (
    <nav aria-label={t('navigation')} className={classes.links}>
      {entries.map(({ to, title, icon: Icon, isWhole }) => (
        <NavLink key={to} to={to} end={isWhole} className={classes.link ?? ''}>
          <Icon size={16} strokeWidth={1.85} aria-hidden />
          {t(title)}
        </NavLink>
      ))}
    </nav>
  );
}

/** Moves the focus from the link that led to a page to the page, unless the page has taken it. */
function useFocusOfPage(pathname: string): void {
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const active = document.activeElement;
    if (active === null || active === document.body || active instanceof HTMLAnchorElement)
      document.getElementById('content')?.focus({ preventScroll: true });
  }, [pathname]);
}

/** The frame of every page: where one is, what there is, who one is. */
export function Shell({ children }: { children: ReactNode }): ReactNode {
  const t = useShellText();
  const [isOpen, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const [palette, setPalette] = useState<'unused' | 'open' | 'closed'>('unused');
  const openPalette = (): void => {
    setPalette('open');
  };
  useHotkeys([['mod+K', openPalette]], []);
  useEffect(close, [pathname, close]);
  useFocusOfPage(pathname);
  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 52, sm: 0 } }}
      navbar={{ width: 236, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', xs: 'md', lg: 'xl' }}
    >
      <a href="#content" className={classes.skip}>
        {t('skip')}
      </a>
      <AppShell.Header hiddenFrom="sm" className={classes.header}>
        <Burger
          opened={isOpen}
          onClick={toggle}
          size="sm"
          aria-label={t('openNavigation')}
          aria-expanded={isOpen}
        />
        <Link to="/" className={classes.brand} aria-label="Service">
          <Mark />
        </Link>
        <span className={classes.where}>
          <PlaceName />
        </span>
        <UnstyledButton className={classes.searchSmall} onClick={openPalette} aria-label={t('searchShort')}>
          <Search size={18} />
        </UnstyledButton>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} component="aside" aria-label="Service">
        <div className={classes.top}>
          <Link to="/" className={classes.brand}>
            <Mark />
            <span>Service</span>
          </Link>
          <Burger opened onClick={close} size="sm" hiddenFrom="sm" aria-label={t('openNavigation')} />
        </div>
        <TenantSwitcher />
        <UnstyledButton className={classes.search} onClick={openPalette}>
          <Search size={14} aria-hidden />
          <span>{t('searchShort')}</span>
          <Kbd size="xs">{/Mac|iP/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'}</Kbd>
        </UnstyledButton>
        <Navigation />
        <AccountMenu />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        <LostConnection />
        {children}
      </AppShell.Main>
      {palette !== 'unused' && (
        <Suspense>
          <Palette
            isOpen={palette === 'open'}
            onClose={() => {
              setPalette('closed');
            }}
          />
        </Suspense>
      )}
    </AppShell>
  );
}
