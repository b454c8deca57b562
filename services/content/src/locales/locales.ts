import type { SiteConfig } from '@quire/config';
import { invalidInput } from '@quire/errors';

const localeCode = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

/** The locales of the installation (contract 2, Locale; decision 1). */
export class Locales {
  readonly default: string;
  private readonly configured: readonly string[] | undefined;

  constructor(site: Pick<SiteConfig, 'locales' | 'defaultLocale'>) {
    this.default = site.defaultLocale;
    this.configured = site.locales;
  }

  /** True when the site names no locales of its own. */
  get isImplicit(): boolean {
    return this.configured === undefined;
  }

  /**
   * The spelling in which a code is stored: that of the configuration where it names the code, else as sent.
   * @throws QuireError VALIDATION_ERROR for a malformed code, or one that the site does not have.
   */
  stored(code: string, path = 'locale'): string {
    if (!localeCode.test(code)) throw invalidInput([{ path, message: 'is not a locale code' }]);
    const same = (known: string) => known.toLowerCase() === code.toLowerCase();
    if (same(this.default)) return this.default;
    if (!this.configured) return code;
    const known = this.configured.find(same);
    if (known === undefined) {
      throw invalidInput([
        { path, message: `must be one of the site's locales: ${this.configured.join(', ')}` },
      ]);
    }
    return known;
  }
}
