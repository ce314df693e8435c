import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { languageOf } from '../../platform/languages/index.js';
import type { Language } from '../../platform/languages/index.js';

/** Which language a mail or a page is in. */
@Injectable()
export class UserLanguages {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /**
   * The language of the account, else the one that the request prefers, else `identity.default_locale`.
   * @param locale of the account, if there is one
   * @param accepted by the request that caused it, if a request did
   */
  choose(locale: string | null | undefined, accepted: Language | null | undefined): Language {
    const own = typeof locale === 'string' ? languageOf(locale) : null;
    return own ?? accepted ?? this.config.identity.defaultLocale;
  }
}
