import { expect, it } from '@jest/globals';
import { providerVariables } from './provider-variables.js';

const names = ['CLIENT_ID', 'CLIENT_SECRET'];

it('reads each variable with the prefix, else without', () => {
  const env = { CMS_OAUTH_GITHUB_CLIENT_ID: 'own', GITHUB_CLIENT_ID: 'general', GITHUB_CLIENT_SECRET: 's' };
  expect(providerVariables('github', names, env)).toEqual({
    values: { CLIENT_ID: 'own', CLIENT_SECRET: 's' },
  });
});

it('names missing variables, and counts empty ones as missing', () => {
  const env = { CMS_OAUTH_GITHUB_CLIENT_ID: '', GITHUB_CLIENT_SECRET: 's' };
  expect(providerVariables('github', names, env)).toEqual({ missing: ['CMS_OAUTH_GITHUB_CLIENT_ID'] });
});

it('replaces a dash of the id by an underscore', () => {
  expect(providerVariables('my-house', ['KEY'], { CMS_OAUTH_MY_HOUSE_KEY: 'k' })).toEqual({
    values: { KEY: 'k' },
  });
});

it('returns no values for a provider without variables', () => {
  expect(providerVariables('plain', [], {})).toEqual({ values: {} });
});
