import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import Negotiator from 'negotiator';
import { html, NO_BRAND, page, PageView } from '../identity/index.js';
import type { PageAnswer } from '../identity/index.js';
import { TAGLINE } from './tagline.js';

/** The addresses are relative, so that they hold under whatever path a proxy serves the program. */
const CONSOLE = {
  path: 'console',
  name: 'Console',
  about: `For people: ${TAGLINE}, and manage who may do what.`,
};
const LINKS = [
  { path: 'docs', name: 'API reference', about: 'Every operation, to read and to try.' },
  { path: 'openapi.json', name: 'OpenAPI document', about: 'For code generators and API clients.' },
  { path: 'health', name: 'Health', about: 'State of this deployment, as JSON.' },
];

function frontPage(hasConsole: boolean): PageAnswer {
  const links = hasConsole ? [CONSOLE, ...LINKS] : LINKS;
  return page(
    new PageView('en', NO_BRAND),
    200,
    'Service',
    html`<p>Service is running. It manages identity and runs background jobs, through an HTTP API.</p>
      <ul>
        ${links.map(({ path, name, about }) => html`<li><a href="${path}">${name}</a> ${about}</li>`)}
      </ul>`,
  );
}

/** Programs come first: a request that accepts both alike is not a browser's. */
const OFFERED = ['application/json', 'text/html'];

/**
 * Leads people who open the address of the API in a browser to its documentation. Programs, which do not ask for HTML,
 * get the error of a path where there is nothing.
 */
export function serveFrontPage(app: NestFastifyApplication, hasConsole: boolean): void {
  const { markup, headers } = frontPage(hasConsole);
  app
    .getHttpAdapter()
    .getInstance()
    .get('/', async (request, reply) => {
      void reply.header('Vary', 'Accept');
      if (new Negotiator(request).mediaType(OFFERED) !== 'text/html') {
        reply.callNotFound();
        return reply;
      }
      return await reply.headers(headers).send(markup);
    });
}
