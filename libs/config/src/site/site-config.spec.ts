import { describe, expect, it } from '@jest/globals';
import { edgeAudience } from '../env/load-environment.js';
import { edgeAccess, type EdgeAccessInput } from './edge-access.js';
import { checkSiteConfig, loadSiteConfig } from './site-config.js';

describe('the site configuration', () => {
  it('defaults to the locale en and any well-formed code', async () => {
    expect(await loadSiteConfig(undefined, '/')).toEqual({ defaultLocale: 'en' });
  });

  it('rejects unknown options, one line each', () => {
    expect(() => checkSiteConfig({ lokales: ['en'], extra: 1 }, 'cms.config.mjs')).toThrow(
      /cms\.config\.mjs: options: .*lokales/,
    );
  });

  it('rejects a malformed locale with its path', () => {
    expect(() => checkSiteConfig({ locales: ['en', 'not a code'] }, 'f')).toThrow(
      'f: locales.1: is not a locale code',
    );
  });

  it('rejects a default locale that is not one of the locales', () => {
    expect(() => checkSiteConfig({ locales: ['de'], defaultLocale: 'en' }, 'f')).toThrow(
      'f: defaultLocale: "en" is not one of locales',
    );
  });

  it('returns the default locale in the spelling of the list', () => {
    expect(checkSiteConfig({ locales: ['de', 'pt-BR'], defaultLocale: 'PT-br' }, 'f')).toEqual({
      locales: ['de', 'pt-BR'],
      defaultLocale: 'pt-BR',
    });
  });

  it('rejects a missing file', async () => {
    await expect(loadSiteConfig('nowhere.mjs', '/')).rejects.toThrow(
      'CMS_CONFIG: there is no file nowhere.mjs',
    );
  });
});

describe('an edge access proxy in the site configuration (document 1, Edge access mode)', () => {
  const checked = (options: object) =>
    checkSiteConfig(
      { auth: edgeAccess({ teamDomain: 'team.example.com', ...options } as EdgeAccessInput) },
      'f',
    ).auth;

  it('requires a team, and has defaults for other options', () => {
    expect(checked({})).toEqual({
      type: 'edge-access',
      teamDomain: 'https://team.example.com',
      audienceEnvVar: 'EDGE_ACCESS_AUDIENCE',
      autoProvision: true,
      defaultRole: 30,
      syncRoles: false,
    });
    expect(() => checkSiteConfig({ auth: { type: 'edge-access' } }, 'f')).toThrow('f: auth.teamDomain: ');
  });

  it.each([
    ['team.example.com', 'https://team.example.com'],
    ['Team.Example.com:8443', 'https://team.example.com:8443'],
    ['https://team.example.com/', 'https://team.example.com'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://localhost', 'http://localhost'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
  ])('accepts the team %s', (teamDomain, origin) => {
    expect(checked({ teamDomain })?.teamDomain).toBe(origin);
  });

  it.each([
    ['http://team.example.com', 'f: auth.teamDomain: must be reached by https'],
    ['http://127.0.0.1.example.com', 'f: auth.teamDomain: must be reached by https'],
    ...[
      '',
      'not a domain',
      'https://team.example.com/path',
      'https://user@team.example.com',
      'team.example.com?x',
      'ftp://team.example.com',
      'javascript://x',
    ].map((wrong) => [wrong, 'f: auth.teamDomain: must be a domain such as team.example.com']),
  ])('rejects the team %j', (teamDomain, line) => {
    expect(() => checked({ teamDomain })).toThrow(line);
  });

  it.each<[object, string]>([
    [{ defaultRole: 35 }, 'f: auth.defaultRole: must be a role level: 10, 20, 30, 40, 50'],
    [
      { roleMapping: { editors: 45 } },
      'f: auth.roleMapping.editors: must be a role level: 10, 20, 30, 40, 50',
    ],
    [
      { roleMapping: { editors: 40, 12: 10 } },
      'f: auth.roleMapping: the group "12" would not keep its place in the order',
    ],
    [{ autoProvision: 'yes' }, 'f: auth.autoProvision: '],
    [{ syncRole: true }, 'f: auth: Unrecognized key: "syncRole"'],
  ])('rejects %j', (options, line) => {
    expect(() => checked(options)).toThrow(line);
  });

  it('keeps the order of groups, and accepts a single group of digits', () => {
    const roleMapping = { zeta: 10, alpha: 50, '007': 20 };
    expect(Object.keys(checked({ roleMapping })?.roleMapping ?? {})).toEqual(['zeta', 'alpha', '007']);
    expect(checked({ roleMapping: { 12: 10 } })?.roleMapping).toEqual({ 12: 10 });
  });

  it('reads the audience from the options, else from the configured variable', () => {
    const env = { EDGE_ACCESS_AUDIENCE: 'default', OTHER: 'other', EMPTY: '' };
    const audienceOf = (options: object) => edgeAudience(checked(options)!, env);
    expect(audienceOf({})).toBe('default');
    expect(audienceOf({ audience: 'configured' })).toBe('configured');
    expect(audienceOf({ audienceEnvVar: 'OTHER' })).toBe('other');
    for (const audienceEnvVar of ['EMPTY', 'MISSING'])
      expect(() => audienceOf({ audienceEnvVar })).toThrow(
        `auth.audience is not set: set it in the site configuration, or set ${audienceEnvVar}`,
      );
  });
});
