import type { SiteConfig } from '@quire/config';
import type { Context } from '@quire/context';
import { Locales } from './locales.js';

type LocaleOptions = Pick<SiteConfig, 'locales' | 'defaultLocale'>;

/** The locales of the sites of an installation. */
export class SiteLocales {
  private readonly common: Locales;

  /** @param installation the locales of sites without own ones */
  constructor(private readonly installation: LocaleOptions) {
    this.common = new Locales(installation);
  }

  /** @returns the locales of the site of a context. */
  of({ principal }: Pick<Context, 'principal'>): Locales {
    const { locales, defaultLocale } = principal.tenant.settings ?? {};
    if (!locales && defaultLocale === undefined) return this.common;
    return new Locales({
      locales: locales ?? this.installation.locales,
      defaultLocale: defaultLocale ?? this.installation.defaultLocale,
    });
  }
}
