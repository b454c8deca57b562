import { isSameLocale, type SiteConfig } from '@quire/config';
import { invalidInput } from '@quire/errors';

const localeCode = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

/** The locales of the installation (contract 2, Locale; decision 1). */
export class Locales {
  readonly default: string;
  /** The configured locales; undefined if the installation accepts any well-formed code. */
  readonly configured: readonly string[] | undefined;

  constructor(site: Pick<SiteConfig, 'locales' | 'defaultLocale'>) {
    this.default = site.defaultLocale;
    this.configured = site.locales;
  }

  /** Whether no locales are configured. */
  get isImplicit(): boolean {
    return this.configured === undefined;
  }

  /**
   * Checks a requested locale code. It need not be configured: rows of a locale that has left the configuration must be
   * found, to be moved or deleted. Compare it with `sameLocale` or `inLocale`.
   * @param path of the code in the request
   * @returns the code as it was given.
   * @throws QuireError VALIDATION_ERROR for a malformed code.
   */
  requested(code: string, path = 'locale'): string {
    if (!localeCode.test(code)) throw invalidInput([{ path, message: 'is not a locale code' }]);
    return code;
  }

  /**
   * Unique keys of tables rely on one spelling for each locale.
   * @param path of the code in the request
   * @returns the spelling in which the code of a new row is stored: the configured one, else the canonical one.
   * @throws QuireError VALIDATION_ERROR for a malformed code, or one that is not configured.
   */
  stored(code: string, path = 'locale'): string {
    this.requested(code, path);
    const isSame = (configured: string) => isSameLocale(configured, code);
    if (isSame(this.default)) return this.default;
    if (!this.configured) return canonicalSpelling(code);
    const spelling = this.configured.find(isSame);
    if (spelling === undefined) {
      throw invalidInput([
        { path, message: `must be one of the site's locales: ${this.configured.join(', ')}` },
      ]);
    }
    return spelling;
  }
}

/**
 * @returns the code as BCP 47 writes it, `pt-BR` or `zh-Hant-TW`; in lower case where that would be another code, as
 *   `he` for `iw`: rows must be found by the code that they were created with.
 */
function canonicalSpelling(code: string): string {
  const [canonical = ''] = canonicalCodes(code);
  return isSameLocale(canonical, code) ? canonical : code.toLowerCase();
}

function canonicalCodes(code: string): string[] {
  try {
    return Intl.getCanonicalLocales(code);
  } catch {
    return [];
  }
}

/** `isSameLocale` in SQL. */
export const sameLocale = (column: string, code: string): string => `lower(${column}) = lower(${code})`;

/** @returns the row of a locale: in the spelling of the code, else in another one. */
export function inLocale<Row extends { locale: string }>(
  rows: readonly Row[],
  code: string,
): Row | undefined {
  return rows.find(({ locale }) => locale === code) ?? rows.find(({ locale }) => isSameLocale(locale, code));
}
