import { redirectSource } from '../../platform/redirects/index.js';
import { html } from './html.js';
import type { Html } from './html.js';
import { page } from './page-layout.js';
import type { PageAnswer } from './page-layout.js';
import type { PageView } from './page-view.js';

/** Where the reader goes on after the button: the host, or the scheme of an application on the device. */
function nameOf(destination: string): string {
  const { host, protocol } = new URL(destination);
  return host === '' || !/^https?:$/.test(protocol) ? protocol.slice(0, -1) : host;
}

/** Says where the button leads to; null if the page itself is the end. */
export function destinationText(view: PageView, destination: string | null): Html | null {
  if (destination === null) return null;
  return html`<p>${view.rich('page.destination', { destination: nameOf(destination) })}</p>`;
}

/** A page with a form that may end at the destination. */
export function leadingTo(destination: string | null, answer: PageAnswer): PageAnswer {
  return destination === null ? answer : { ...answer, formTarget: redirectSource(destination) };
}

/** Sends the browser on to the application; null if the page itself is the end. */
export function goOn(view: PageView, location: string | null): PageAnswer | null {
  if (location === null) return null;
  // The text is for programs that do not follow the header. It has no link: the code belongs in no page.
  const answer = page(
    view,
    303,
    view.text('page.go_on.title'),
    html`<p role="status">${view.text('page.go_on.text')}</p>`,
  );
  return { ...answer, headers: { ...answer.headers, Location: location } };
}
