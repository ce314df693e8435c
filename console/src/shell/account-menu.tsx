import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import type { MantineColorScheme } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { BookOpen, ChevronsUpDown, LogOut, Monitor, Moon, Server, Sun, UserRound } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { DEPLOYMENT_PATH, useOperatorOrNone } from '../operator/operator.js';
import { ACCOUNT_PATH } from '../pages.js';
import { session } from '../session/session.js';
import { useAccess, useHasOwnAccount } from '../session/use-session.js';
import { LANGUAGES, setLanguage, useLanguage } from '../text/i18n.js';
import type { Language } from '../text/i18n.js';
import { Initials } from './initials.js';
import classes from './tenant-switcher.module.css';
import { useShellText } from './text.js';

const loadNotSignedOut = () => import('./not-signed-out.js');
const NotSignedOut = lazy(loadNotSignedOut);

const THEMES = [
  ['auto', Monitor],
  ['light', Sun],
  ['dark', Moon],
] as const satisfies readonly (readonly [MantineColorScheme, unknown])[];

/** Who one is, how one wants to see the console, and the way out. */
export function AccountMenu(): ReactNode {
  const t = useShellText();
  const access = useAccess();
  const language = useLanguage();
  const hasOwnAccount = useHasOwnAccount();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  // In the deployment, the frame says it already.
  const isElsewhere = useOperatorOrNone() === null;
  const operator = access.kind === 'account' && isElsewhere ? access.operator : null;
  const name = access.kind === 'account' ? access.user.email : access.project.name;
  const signOut = useMutation({ mutationFn: () => session.signOut() });
  return (
    <>
      {signOut.isError && (
        <Suspense>
          <NotSignedOut signOut={signOut} />
        </Suspense>
      )}
      <Menu
        position="top-start"
        width={228}
        // When it is needed, the service may be away.
        onOpen={() => void loadNotSignedOut().catch(() => undefined)}
      >
        <Menu.Target>
          <UnstyledButton className={classes.current}>
            <span className="visually-hidden">{t('account')}: </span>
            <Initials name={name} isSmall />
            <span className={classes.names}>
              <span className={classes.name} dir="auto">
                {name}
              </span>
              {operator !== null && (
                <span className={classes.role}>{t(operator === 'full' ? 'operator' : 'readOnly')}</span>
              )}
            </span>
            <ChevronsUpDown size={15} aria-hidden className={classes.arrows} />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {hasOwnAccount && (
            <>
              <Menu.Item component={Link} to={ACCOUNT_PATH} leftSection={<UserRound size={15} />}>
                {t('ownAccount')}
              </Menu.Item>
              {operator !== null && (
                <Menu.Item component={Link} to={DEPLOYMENT_PATH} leftSection={<Server size={15} />}>
                  {t('deployment')}
                </Menu.Item>
              )}
              <Menu.Divider />
            </>
          )}
          <Menu.Label>{t('theme')}</Menu.Label>
          <Menu.RadioGroup
            value={colorScheme}
            onChange={(scheme) => {
              setColorScheme(scheme as MantineColorScheme);
            }}
          >
            {THEMES.map(([scheme, Icon]) => (
              <Menu.RadioItem
                key={scheme}
                value={scheme}
                closeMenuOnClick={false}
                rightSection={<Icon size={15} />}
              >
                {t(scheme)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Label>{t('language')}</Menu.Label>
          <Menu.RadioGroup
            value={language}
            onChange={(tag) => {
              setLanguage(tag as Language);
            }}
          >
            {Object.entries(LANGUAGES).map(([tag, title]) => (
              <Menu.RadioItem key={tag} value={tag} lang={tag} closeMenuOnClick={false}>
                {title}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Item
            component="a"
            href="/docs"
            target="_blank"
            rel="noreferrer"
            leftSection={<BookOpen size={15} />}
          >
            {t('docs')}
          </Menu.Item>
          <Menu.Item
            leftSection={<LogOut size={15} />}
            onClick={() => {
              signOut.mutate();
            }}
          >
            {t('signOut')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
