import type { Client } from './client.js';
import { fetch } from './fetch.js';
import { linkOf } from './mail-server.js';
import type { ReceivedMail } from './mail-server.js';
import { recordSecretOfLink } from './secrets/secret-journal.js';

/** The page that the link of a mail opens, at an instance of the program. */
export class MailedPage {
  readonly token: string;
  private readonly url: URL;

  /** @param language that the browser prefers */
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

  /** What its button sends, with further fields of the form. */
  async submit(fields: Readonly<Record<string, string>> = {}): Promise<Response> {
    return await this.send(this.url.pathname, fields);
  }

  /** What the button of a dead link sends. */
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

/** Where an answer leads to. */
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
