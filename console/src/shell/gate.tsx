import { Center, Loader } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import { Failure } from '../parts/states.js';
import { usePartsText } from '../parts/text.js';
import { session } from '../session/session.js';
import { useSession } from '../session/use-session.js';

const SignInPage = lazy(() => import('../pages/sign-in/sign-in-page.js'));

function Starting(): ReactNode {
  const t = usePartsText();
  return (
    <Center mih="100vh">
      <Loader type="dots" aria-label={t('loading')} />
    </Center>
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
      return <Outlet />;
  }
}
