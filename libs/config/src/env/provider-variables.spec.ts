import { expect, it } from '@jest/globals';
import { providerVariables } from './provider-variables.js';

const names = ['CLIENT_ID', 'CLIENT_SECRET'];

it('the variables of a login provider are those with the prefix, else those without', () => {
  const env = { CMS_OAUTH_GITHUB_CLIENT_ID: 'own', GITHUB_CLIENT_ID: 'general', GITHUB_CLIENT_SECRET: 's' };
  expect(providerVariables('github', names, env)).toEqual({
    values: { CLIENT_ID: 'own', CLIENT_SECRET: 's' },
  });
});

it('those that are missing are named, and an empty one is missing', () => {
  const env = { CMS_OAUTH_GITHUB_CLIENT_ID: '', GITHUB_CLIENT_SECRET: 's' };
  expect(providerVariables('github', names, env)).toEqual({ missing: ['CMS_OAUTH_GITHUB_CLIENT_ID'] });
});

it('a dash of the id is an underscore in variables', () => {
  expect(providerVariables('my-house', ['KEY'], { CMS_OAUTH_MY_HOUSE_KEY: 'k' })).toEqual({
    values: { KEY: 'k' },
  });
});

it('a provider that needs none has all it needs', () => {
  expect(providerVariables('plain', [], {})).toEqual({ values: {} });
});
