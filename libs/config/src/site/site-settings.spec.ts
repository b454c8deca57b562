import { describe, expect, it } from '@jest/globals';
import { checkSiteConfig, type SiteConfigInput } from './site-config.js';
import { edgeAccess } from './edge-access.js';
import { checkPlan, checkSiteLimits, checkSiteSettings } from './site-settings.js';

const check = (input: unknown, config: SiteConfigInput = {}) =>
  checkSiteSettings(input, { installation: checkSiteConfig(config, 'f'), providerIds: ['google', 'github'] });
/** The paths of the invalid fields. */
function wrong(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    const { code, details } = error as { code: string; details: { issues: { path: string }[] } };
    return [code, ...details.issues.map(({ path }) => path)];
  }
  return [];
}

describe('checkSiteSettings', () => {
  it('accepts every setting, and stores the default locale in the spelling of the list', () => {
    const settings = {
      locales: ['de', 'pt-BR'],
      defaultLocale: 'PT-br',
      mailFrom: { name: 'Acme', address: 'hello@acme.example' },
      signIn: { magicLinks: false, providers: ['github'], signup: false },
    };
    expect(check(settings)).toEqual({ ...settings, defaultLocale: 'pt-BR' });
    expect(check({})).toEqual({});
  });

  it.each<[string, unknown, string[]]>([
    ['an unknown key', { theme: 'dark' }, ['settings']],
    ['an unknown key below another', { signIn: { totp: true } }, ['settings.signIn']],
    ['a list in place of an object', [], ['settings']],
    ['malformed locales', { locales: ['de', 'd_e'], defaultLocale: 'de' }, ['settings.locales.1']],
    ['no locale', { locales: [], defaultLocale: 'de' }, ['settings.locales', 'settings.defaultLocale']],
    ['a locale twice', { locales: ['de', 'DE'], defaultLocale: 'de' }, ['settings.locales']],
    ['locales without a default', { locales: ['de'] }, ['settings.defaultLocale']],
    ['a default that is no locale', { locales: ['de'], defaultLocale: 'en' }, ['settings.defaultLocale']],
    ['a sender without an address', { mailFrom: { name: 'Acme' } }, ['settings.mailFrom.address']],
    ['no address', { mailFrom: { address: 'a@b, c@d' } }, ['settings.mailFrom.address']],
    [
      'a header in the name',
      { mailFrom: { name: 'A\r\nBcc: b', address: 'a@acme.example' } },
      ['settings.mailFrom.name'],
    ],
    ['an unknown provider', { signIn: { providers: ['oidc'] } }, ['settings.signIn.providers']],
  ])('rejects %s, and names the field', (_, input, paths) => {
    expect(wrong(() => check(input))).toEqual(['VALIDATION_ERROR', ...paths]);
  });

  it('are less than 4 KiB at most', () => {
    const locales = Array.from({ length: 50 }, (_, index) => `de-${'abcdefgh-'.repeat(3)}${10 + index}abc`);
    const name = '😀'.repeat(50);
    const address = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`;
    const providers = Array.from({ length: 20 }, (_, index) => `${'p'.repeat(48)}${10 + index}`);
    const all = { locales, defaultLocale: locales[0], mailFrom: { name, address }, signIn: { providers } };
    const installation = checkSiteConfig({}, 'f');
    const settings = checkSiteSettings(all, { installation, providerIds: providers });
    expect(Buffer.byteLength(JSON.stringify(settings))).toBeLessThan(4_096);
  });

  it('rejects a default locale that the installation does not have', () => {
    const config = { locales: ['en', 'de-AT'], defaultLocale: 'en' };
    expect(wrong(() => check({ defaultLocale: 'fr' }, config))).toEqual([
      'VALIDATION_ERROR',
      'settings.defaultLocale',
    ]);
    expect(check({ defaultLocale: 'DE-at' }, config)).toEqual({ defaultLocale: 'de-AT' });
    expect(check({ locales: ['fr'], defaultLocale: 'fr' }, config).defaultLocale).toBe('fr');
  });

  it('rejects sign-in methods where a proxy signs users in', () => {
    const config = { auth: edgeAccess({ teamDomain: 'team.example' }) };
    expect(wrong(() => check({ signIn: { signup: false } }, config))).toEqual([
      'VALIDATION_ERROR',
      'settings.signIn',
    ]);
  });
});

describe('checkSiteLimits', () => {
  const limits = (input: unknown) => checkSiteLimits(input, { maxUploadBytes: 1_000 });

  it('accepts positive numbers', () => {
    const all = { entries: 1, mediaBytes: 2 ** 50, uploadBytes: 1_000, requestsPerSecond: 5 };
    expect(limits(all)).toEqual(all);
    expect(limits({})).toEqual({});
  });

  it.each<[unknown, string]>([
    [{ entries: 0 }, 'limits.entries'],
    [{ entries: 1.5 }, 'limits.entries'],
    [{ entries: '10' }, 'limits.entries'],
    [{ mediaBytes: 2 ** 60 }, 'limits.mediaBytes'],
    [{ uploadBytes: 1_001 }, 'limits.uploadBytes'],
    [{ requestsPerSecond: 1_000_001 }, 'limits.requestsPerSecond'],
    [{ users: 5 }, 'limits'],
    [null, 'limits'],
  ])('rejects %j, and names the field', (input, path) => {
    expect(wrong(() => limits(input))).toEqual(['VALIDATION_ERROR', path]);
  });
});

describe('checkPlan', () => {
  it('accepts a short label only', () => {
    expect(checkPlan('Small 2.0')).toBe('Small 2.0');
    for (const text of ['', ' a', 'a\nb', 'a'.repeat(61), 5])
      expect(wrong(() => checkPlan(text))).toEqual(['VALIDATION_ERROR', 'plan']);
  });
});
