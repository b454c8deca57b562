import { describe, expect, it } from '@jest/globals';
import { checkSiteConfig, loadEnvironment } from '@quire/config';
import { github, google } from '@quire/login-providers';
import { Installation } from '../installation.js';
import { loginProvidersOf } from './login-providers.js';

/** The providers of an installation that has no credentials, and what is logged on the way. */
function start(config: object) {
  const installation = new Installation(
    loadEnvironment({ CMS_LOG_LEVEL: 'silent' }),
    checkSiteConfig(config, 'f'),
    ['auth'],
  );
  const warnings: unknown[] = [];
  installation.logger.warn = (fields) => void warnings.push(fields);
  return { offered: loginProvidersOf(installation).offered.map(({ id }) => id), warnings };
}

const plain = { id: 'plain', label: 'Plain', begin: () => undefined, complete: () => undefined };

describe('the login providers of an installation', () => {
  it('are none where nothing is configured, without a word', () => {
    expect(start({})).toEqual({ offered: [], warnings: [] });
  });

  it('are those of the list that have what they need; the others are told of once, by the variables to set', () => {
    expect(start({ authProviders: [google(), { ...plain, form: undefined }, github()] })).toEqual({
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
