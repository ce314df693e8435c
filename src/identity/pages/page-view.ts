import { Injectable } from '@nestjs/common';
import type { Language } from '../../platform/languages/index.js';
import type { Origin } from '../../http/index.js';
import { Brands, NO_BRAND } from '../brand/index.js';
import type { Brand } from '../brand/index.js';
import { Messages, UserLanguages } from '../languages/index.js';
import type { ArgumentsOf, Markup, MessageKey } from '../languages/index.js';
import type { RealmId } from '../users/user.repository.js';
import { html } from './html.js';
import type { Html } from './html.js';

/** A name of whatever direction does not turn the words around it. */
const MARKUP: Markup<Html> = {
  argument: (value) => html`<bdi>${value}</bdi>`,
  strong: (content) => html`<strong>${content}</strong>`,
};

/** In which language a page is, and how it looks. */
export class PageView {
  private readonly messages: Messages;

  constructor(
    readonly language: Language,
    readonly brand: Brand,
    private readonly languageFor: (locale: string | null) => Language = () => language,
  ) {
    this.messages = Messages.in(language);
  }

  /** For the reader of the page, once it is known who that is. */
  for({ locale }: { readonly locale: string | null }): PageView {
    return new PageView(this.languageFor(locale), this.brand, this.languageFor);
  }

  /** A message as text. */
  text<Key extends MessageKey>(key: Key, ...values: ArgumentsOf<Key>): string {
    return this.messages.text(key, ...values);
  }

  /** A message as markup, with its arguments escaped. */
  rich<Key extends MessageKey>(key: Key, ...values: ArgumentsOf<Key>): Html {
    return html`${this.messages.marked(MARKUP, key, ...values)}`;
  }
}

/** The view of each request for a page. */
@Injectable()
export class PageViews {
  constructor(
    private readonly brands: Brands,
    private readonly languages: UserLanguages,
  ) {}

  /** @param realmId null where the address names no realm */
  async of(realmId: RealmId | null, { language }: Origin): Promise<PageView> {
    const brand = realmId === null ? NO_BRAND : await this.brands.of(realmId);
    const languageFor = (locale: string | null): Language => this.languages.choose(locale, language);
    return new PageView(languageFor(null), brand, languageFor);
  }
}
