import './styles.css';
import './mantine-styles.js';
import '@fontsource-variable/geist/wght.css';
import './text/i18n.js';
import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { queries } from './parts/queries.js';
import { Pages } from './routes.js';
import { identityOf, session } from './session/session.js';
import { theme } from './theme.js';

/** The nonce of this response: without it the policy lets no library write a style element. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
setNonce(nonce);

const schemes = localStorageColorSchemeManager({ key: 'service.console.theme' });

const root = document.querySelector('#root');
if (root === null) throw new Error('the page has no #root');

let identity: string | null = null;
// Before any page is shown to somebody else.
session.subscribe(() => {
  const next = identityOf(session.read());
  if (next !== identity) queries.clear();
  identity = next;
});

// A reload has lost the access token, and the cookie may give another.
void session.start();

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={schemes}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <BrowserRouter basename="/console">
          <Pages />
        </BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
