import { describe, expect, it } from '@jest/globals';
import { inLocale, Locales } from './locales.js';

describe('the locales of a site (contract 2, decision 1)', () => {
  const free = new Locales({ defaultLocale: 'en' });
  const bound = new Locales({ locales: ['en', 'pt-BR'], defaultLocale: 'en' });

  it('are implicit when none are configured', () => {
    expect([free.isImplicit, bound.isImplicit]).toEqual([true, false]);
  });

  it.each([
    ['DE', 'de'],
    ['pt-br', 'pt-BR'],
    ['PT-BR', 'pt-BR'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['SL-rozaj-biske-1994', 'sl-rozaj-biske-1994'],
    ['IW', 'iw'],
    ['en-AB-CD', 'en-ab-cd'],
  ])('accept %s when none are configured, and store it as %s', (code, stored) => {
    expect(free.stored(code)).toBe(stored);
  });

  it('store the default in one spelling', () => {
    expect(new Locales({ defaultLocale: 'pt-br' }).stored('pt-BR')).toBe('pt-br');
    expect([free.stored('EN'), bound.stored('En'), free.default]).toEqual(['en', 'en', 'en']);
  });

  it('store a configured code in the spelling of the configuration', () => {
    expect(bound.stored('PT-br')).toBe('pt-BR');
  });

  it('reject a code that is not configured, naming the configured ones and the path', () => {
    expect(() => bound.stored('de', 'query.locale')).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        message: "query.locale: must be one of the site's locales: en, pt-BR",
      }),
    );
  });

  it.each(['', 'e', 'engl', 'en_US', 'en-', '-en', 'en US', 'é'])('reject the malformed code %j', (code) => {
    for (const locales of [free, bound]) {
      expect(() => locales.stored(code)).toThrow('locale: is not a locale code');
      expect(() => locales.requested(code)).toThrow('locale: is not a locale code');
    }
  });

  it('find a row by any spelling of its code, the exact one first', () => {
    const rows = ['en', 'EN', 'fr'].map((locale) => ({ locale }));
    const found = ['EN', 'En', 'FR', 'de'].map((code) => inLocale(rows, bound.requested(code))?.locale);
    expect(found).toEqual(['EN', 'en', 'fr', undefined]);
  });
});
