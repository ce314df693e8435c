import type { Client } from './client.js';
import { fetch } from './fetch.js';
import { linkOf } from './mail-server.js';
import type { ReceivedMail } from './mail-server.js';
import { recordSecretOfLink } from './secrets/secret-journal.js';

/** The page that a mail's link opens, at an instance of the program. */
export class MailedPage {
  readonly token: string;
  private readonly url: URL;

  /** @param language the browser's preferred language */
  constructor(
    { url }: Pick<Client, 'url'>,
    mail: Pick<ReceivedMail, 'email'>,
    private readonly language = 'en',
  ) {
    const link = linkOf(mail);
    const path = link.pathname.slice(link.pathname.indexOf('/auth/v1/pages/'));
    this.url = new URL(`${path}${link.search}`, url);
    this.token = link.searchParams.get('token') ?? '';
  }

  async show(): Promise<Response> {
    return await fetch(this.url, { headers: { 'accept-language': this.language } });
  }

  /** Submits the page's form, with additional fields. */
  async submit(fields: Readonly<Record<string, string>> = {}): Promise<Response> {
    return await this.send(this.url.pathname, fields);
  }

  /** Submits the form of a page whose link is no longer valid. */
  async askForNewLink(): Promise<Response> {
    return await this.send(new URL('new-link', this.url).pathname, {});
  }

  private async send(path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    return await fetch(new URL(path, this.url), {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'accept-language': this.language,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ token: this.token, ...fields }),
    });
  }
}

/** Where a response redirects to. */
export function locationOf(response: Response): URL {
  const location = response.headers.get('location');
  if (response.status !== 303 || location === null)
    throw new Error(`the page answered ${response.status} and leads nowhere`);
  const url = new URL(location);
  recordSecretOfLink(url);
  return url;
}

export function codeOf(response: Response): string {
  return locationOf(response).searchParams.get('code') ?? '';
}
