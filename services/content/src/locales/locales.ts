import type { SiteConfig } from '@quire/config';
import { invalidInput } from '@quire/errors';

const localeCode = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

/** The locales of the installation (contract 2, Locale; decision 1). */
export class Locales {
  readonly default: string;
  /** Those of the installation's configuration; undefined where any well-formed code is taken. */
  readonly configured: readonly string[] | undefined;

  constructor(site: Pick<SiteConfig, 'locales' | 'defaultLocale'>) {
    this.default = site.defaultLocale;
    this.configured = site.locales;
  }

  /** True when the site names no locales of its own. */
  get isImplicit(): boolean {
    return this.configured === undefined;
  }

  /**
   * A requested locale code, as it was sent. It is not held against the configuration: what has a locale that
   * left it is still there, and must be found to be moved or deleted. Compare it with `sameLocale` or `inLocale`.
   * @throws QuireError VALIDATION_ERROR for a malformed code.
   */
  requested(code: string, path = 'locale'): string {
    if (!localeCode.test(code)) throw invalidInput([{ path, message: 'is not a locale code' }]);
    return code;
  }

  /**
   * The spelling in which a code of something new is stored: that of the configuration where it names the code, else
   * the usual one. One spelling a locale is what the unique keys of the tables rely on.
   * @throws QuireError VALIDATION_ERROR for a malformed code, or one that the site does not have.
   */
  stored(code: string, path = 'locale'): string {
    this.requested(code, path);
    const same = (known: string) => isSameLocale(known, code);
    if (same(this.default)) return this.default;
    if (!this.configured) return canonicalSpelling(code);
    const known = this.configured.find(same);
    if (known === undefined) {
      throw invalidInput([
        { path, message: `must be one of the site's locales: ${this.configured.join(', ')}` },
      ]);
    }
    return known;
  }
}

/**
 * A code as BCP 47 writes it, `pt-BR` or `zh-Hant-TW`. Lower case where that would be another code, as `he` is for
 * `iw`: what was made under a code must be found by it.
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

/** The row of a locale: in the spelling of the code, else in another one. */
export function inLocale<Row extends { locale: string }>(
  rows: readonly Row[],
  code: string,
): Row | undefined {
  return rows.find(({ locale }) => locale === code) ?? rows.find(({ locale }) => isSameLocale(locale, code));
}

/** Whether two codes differ in nothing but their spelling. */
export function isSameLocale(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
