import { describe, expect, it } from '@jest/globals';
import { checkSiteConfig, loadSiteConfig } from './site-config.js';

describe('the site configuration', () => {
  it('means the locale en and any well-formed code when nothing is configured', async () => {
    expect(await loadSiteConfig(undefined, '/')).toEqual({ defaultLocale: 'en' });
  });

  it('refuses an option that does not exist, one line each', () => {
    expect(() => checkSiteConfig({ lokales: ['en'], extra: 1 }, 'cms.config.mjs')).toThrow(
      /cms\.config\.mjs: options: .*lokales/,
    );
  });

  it('refuses a malformed locale, naming its place', () => {
    expect(() => checkSiteConfig({ locales: ['en', 'not a code'] }, 'f')).toThrow(
      'f: locales.1: is not a locale code',
    );
  });

  it('refuses a default locale that is not one of the locales', () => {
    expect(() => checkSiteConfig({ locales: ['de'], defaultLocale: 'en' }, 'f')).toThrow(
      'f: defaultLocale: "en" is not one of locales',
    );
  });

  it('takes the default locale in the spelling of the list', () => {
    expect(checkSiteConfig({ locales: ['de', 'pt-BR'], defaultLocale: 'PT-br' }, 'f')).toEqual({
      locales: ['de', 'pt-BR'],
      defaultLocale: 'pt-BR',
    });
  });

  it('says so when the named file is missing', async () => {
    await expect(loadSiteConfig('nowhere.mjs', '/')).rejects.toThrow(
      'CMS_CONFIG: there is no file nowhere.mjs',
    );
  });
});
