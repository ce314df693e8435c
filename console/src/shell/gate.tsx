import { Center, Loader } from '@mantine/core';
import { Fragment, lazy, Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import { Failure } from '../parts/states.js';
import { usePartsText } from '../parts/text.js';
import { identityOf, session } from '../session/session.js';
import { useAccess, useSession } from '../session/use-session.js';

const FirstFactorPage = lazy(() => import('../pages/first-factor/first-factor-page.js'));
const SignInPage = lazy(() => import('../pages/sign-in/sign-in-page.js'));

function Starting(): ReactNode {
  const t = usePartsText();
  return (
    <Center mih="100vh">
      <Loader type="dots" aria-label={t('loading')} />
    </Center>
  );
}

/** Operators who lack a second factor add one first, and see their recovery codes before anything else. */
function Entered(): ReactNode {
  const access = useAccess();
  const [codes, setCodes] = useState<readonly string[]>([]);
  const isRequired = access.kind === 'account' && access.isFactorRequired;
  if (!isRequired && codes.length === 0) return <Outlet />;
  return (
    <Suspense fallback={<Starting />}>
      <FirstFactorPage codes={codes} onCodes={setCodes} />
    </Suspense>
  );
}

/** Shows the pages to those who have signed in, and at the same address the sign-in to the others. */
export function Gate(): ReactNode {
  const state = useSession();
  switch (state.phase) {
    case 'starting':
      return <Starting />;
    case 'unreachable':
      return (
        <main>
          <Failure error={state.error} onRetry={() => void session.start()} />
        </main>
      );
    case 'signed-out':
      return (
        <Suspense fallback={<Starting />}>
          <SignInPage />
        </Suspense>
      );
    case 'signed-in':
      // Nothing that one person has typed or opened is left for another.
      return (
        <Fragment key={identityOf(state)}>
          <Entered />
        </Fragment>
      );
  }
}
