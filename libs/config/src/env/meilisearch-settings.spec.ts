import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from './configuration-error.js';
import { loadEnvironment } from './load-environment.js';
import { meilisearchSettings } from './meilisearch-settings.js';

const complete = { MEILISEARCH_URL: 'http://search.example.com:7700', MEILISEARCH_KEY: 'a secret' };
const settings = (env: Record<string, string>) => meilisearchSettings(loadEnvironment(env));

describe('the Meilisearch server of the environment', () => {
  it('is undefined without its variables', () => {
    expect(settings({})).toBeUndefined();
  });

  it('has the values of the variables', () => {
    expect(settings(complete)).toEqual({ url: 'http://search.example.com:7700', key: 'a secret' });
  });

  it.each(Object.keys(complete))('is rejected without %s', (name) => {
    const incomplete = () => settings({ ...complete, [name]: '' });
    expect(incomplete).toThrow(ConfigurationError);
    expect(incomplete).toThrow(`${name} is not set`);
    expect(incomplete).not.toThrow(/a secret/);
  });

  it('rejects an address with a path', () => {
    expect(() => settings({ ...complete, MEILISEARCH_URL: 'http://search.example.com/path' })).toThrow(
      /MEILISEARCH_URL: must be an origin/,
    );
  });
});
