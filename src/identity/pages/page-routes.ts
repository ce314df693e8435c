import { applyDecorators } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiProduces, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { AcceptsForm, Endpoint, ERROR_REFERENCE } from '../../http/index.js';

const DEAD_LINK =
  'A link that was used, replaced or has expired is answered with 400 and a page that says so.';

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
      summary: `Page: ${what}`,
      description: `Shown any number of times; uses nothing up. ${DEAD_LINK}`,
      response: String,
    }),
    ApiProduces('text/html'),
    ApiQuery({ name: 'token', type: String }),
    REFUSAL,
  );
}

/** The button of a page. Only the button uses the token. */
export function SubmitsPage(path: string, what: string, form: Type): MethodDecorator {
  return applyDecorators(
    Endpoint.post(path, {
      access: 'public',
      summary: `Page, submitted: ${what}`,
      description: `What the page's button sends. ${DEAD_LINK}`,
      response: String,
    }),
    AcceptsForm(),
    ApiConsumes('application/x-www-form-urlencoded'),
    ApiProduces('text/html'),
    ApiBody({ type: form }),
    REFUSAL,
  );
}
