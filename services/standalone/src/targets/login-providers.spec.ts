import { describe, expect, it } from '@jest/globals';
import { checkSiteConfig, loadEnvironment, type SiteSettings } from '@quire/config';
import type { Context } from '@quire/context';
import { github, google } from '@quire/login-providers';
import { AppContainer } from '../app-container.js';
import { loginProvidersOf } from './login-providers.js';

const contextOf = (settings?: SiteSettings) => {
  const tenant = { id: 'acme', database: null, ...(settings && { settings }) };
  return { principal: { tenant } } as Context;
};
const ctx = contextOf();

/** The providers of an installation without credentials, and the logged warnings. */
function start(config: object) {
  const container = new AppContainer(
    loadEnvironment({ CMS_LOG_LEVEL: 'silent' }),
    checkSiteConfig(config, 'f'),
    ['auth'],
  );
  const warnings: unknown[] = [];
  container.logger.warn = (fields) => void warnings.push(fields);
  const providers = loginProvidersOf(container);
  return { providers, offered: providers.offered(ctx).map(({ id }) => id), warnings };
}

const plain = { id: 'plain', label: 'Plain', begin: () => undefined, complete: () => undefined };

describe('the login providers of an installation', () => {
  it('are none without a configuration, and nothing is logged', () => {
    expect(start({})).toMatchObject({ offered: [], warnings: [] });
  });

  it('reject the built-in ones as not configured, and others as unknown, without a configuration', () => {
    const { providers } = start({});
    for (const id of ['google', 'github'])
      expect(() => providers.ready(ctx, id)).toThrow(
        expect.objectContaining({ reason: 'provider_not_configured' }),
      );
    expect(() => providers.ready(ctx, 'other')).toThrow(
      expect.objectContaining({ reason: 'invalid_provider' }),
    );
  });

  it('are those of the list with all their variables; a warning names the missing variables of others', () => {
    expect(start({ authProviders: [google(), { ...plain, form: undefined }, github()] })).toMatchObject({
      offered: ['plain'],
      warnings: ['google', 'github'].map((provider) => ({
        provider,
        missing: ['CLIENT_ID', 'CLIENT_SECRET'].map((name) => `CMS_OAUTH_${provider.toUpperCase()}_${name}`),
      })),
    });
  });

  it('are in the order of the list, those with buttons before those with forms', () => {
    const form = { field: { name: 'handle', label: 'Handle' } };
    const listed = [
      { ...plain, id: 'a', form },
      { ...plain, id: 'b' },
      { ...plain, id: 'c', form },
      { ...plain, id: 'd' },
    ];
    expect(start({ authProviders: listed }).offered).toEqual(['b', 'd', 'a', 'c']);
  });

  it('are for a site those that its settings name', () => {
    const listed = ['a', 'b', 'c'].map((id) => ({ ...plain, id }));
    const { providers } = start({ authProviders: listed });
    const own = contextOf({ signIn: { providers: ['c', 'a'] } });
    expect(providers.offered(own).map(({ id }) => id)).toEqual(['a', 'c']);
    expect(() => providers.ready(own, 'b')).toThrow(expect.objectContaining({ reason: 'invalid_provider' }));
    expect(providers.ready(own, 'a').provider.id).toBe('a');
    expect(providers.offered(contextOf({ signIn: { providers: [] } }))).toEqual([]);
  });
});
