import { applyDecorators } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiProduces, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { AcceptsForm, Endpoint, ERROR_REFERENCE } from '../../http/index.js';

const DEAD_LINK =
  'A link that was used, replaced or has expired is answered with 400 and a page that says so.';

const REDIRECTED =
  'Where the request that mailed the link had a `redirect_to`, the answer is 303 to it with `?code=…` added.';

/** The refusals of a page, and those of the service if the request never reached the page. */
const REFUSAL = ApiResponse({
  status: 400,
  description: 'A page that says what is wrong, with the form where another input mends it.',
  content: {
    'text/html': { schema: { type: 'string' } },
    'application/json': { schema: ERROR_REFERENCE },
  },
}) as MethodDecorator;

/** Mail scanners follow links, so opening a page any number of times changes nothing. */
export function ShowsPage(path: string, what: string): MethodDecorator {
  return applyDecorators(
    Endpoint.get(path, {
      access: 'public',
      ignoresUnread: true,
      summary: `Page: ${what}`,
      description: `Shown any number of times; uses nothing up. ${DEAD_LINK}`,
      response: String,
    }),
    ApiProduces('text/html'),
    ApiQuery({ name: 'token', type: String }),
    REFUSAL,
  );
}

/** The button on the page of a dead link. */
export function SubmitsNewLink(form: Type): MethodDecorator {
  return applyDecorators(
    Endpoint.post('new-link', {
      access: 'public',
      ignoresUnread: true,
      summary: 'Page, submitted: send a new link',
      description:
        'What the button on the page of a dead link sends: another mail of the same kind to the same address, within the ' +
        'limits on mails. The answer is the same whether or not one leaves.',
      response: String,
    }),
    AcceptsForm(),
    ApiConsumes('application/x-www-form-urlencoded'),
    ApiProduces('text/html'),
    ApiBody({ type: form }),
    REFUSAL,
  );
}

/** The button of a page. Only the button uses the token. */
export function SubmitsPage(path: string, what: string, form: Type): MethodDecorator {
  return applyDecorators(
    Endpoint.post(path, {
      access: 'public',
      ignoresUnread: true,
      summary: `Page, submitted: ${what}`,
      description: `What the page's button sends. ${DEAD_LINK} ${REDIRECTED}`,
      response: String,
    }),
    AcceptsForm(),
    ApiConsumes('application/x-www-form-urlencoded'),
    ApiProduces('text/html'),
    ApiBody({ type: form }),
    REFUSAL,
    ApiResponse({ status: 303, description: 'To the application, with a one-time code.' }),
  );
}
