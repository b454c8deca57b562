import { describe, expect, it } from '@jest/globals';
import { checkSiteConfig, loadEnvironment } from '@quire/config';
import { github, google } from '@quire/login-providers';
import { AppContainer } from '../app-container.js';
import { loginProvidersOf } from './login-providers.js';

/** The providers of an installation without credentials, and what is logged on the way. */
function start(config: object) {
  const container = new AppContainer(
    loadEnvironment({ CMS_LOG_LEVEL: 'silent' }),
    checkSiteConfig(config, 'f'),
    ['auth'],
  );
  const warnings: unknown[] = [];
  container.logger.warn = (fields) => void warnings.push(fields);
  const providers = loginProvidersOf(container);
  return { providers, offered: providers.offered.map(({ id }) => id), warnings };
}

const plain = { id: 'plain', label: 'Plain', begin: () => undefined, complete: () => undefined };

describe('the login providers of an installation', () => {
  it('are none where nothing is configured, without a word', () => {
    expect(start({})).toMatchObject({ offered: [], warnings: [] });
  });

  it('know the built-in ones, and say that these are not set up, where nothing is configured', () => {
    const { providers } = start({});
    for (const id of ['google', 'github'])
      expect(() => providers.ready(id)).toThrow(
        expect.objectContaining({ reason: 'provider_not_configured' }),
      );
    expect(() => providers.ready('other')).toThrow(expect.objectContaining({ reason: 'invalid_provider' }));
  });

  it('are those of the list that have what they need; the others are told of once, by the variables to set', () => {
    expect(start({ authProviders: [google(), { ...plain, form: undefined }, github()] })).toMatchObject({
      offered: ['plain'],
      warnings: ['google', 'github'].map((provider) => ({
        provider,
        missing: ['CLIENT_ID', 'CLIENT_SECRET'].map((name) => `CMS_OAUTH_${provider.toUpperCase()}_${name}`),
      })),
    });
  });

  it('stand with buttons before forms, and otherwise as they are listed', () => {
    const form = { field: { name: 'handle', label: 'Handle' } };
    const listed = [
      { ...plain, id: 'a', form },
      { ...plain, id: 'b' },
      { ...plain, id: 'c', form },
      { ...plain, id: 'd' },
    ];
    expect(start({ authProviders: listed }).offered).toEqual(['b', 'd', 'a', 'c']);
  });
});
