import { describe, expect, it } from '@jest/globals';
import { ConfigurationError, loadEnvironment } from './load-environment.js';
import { meilisearchSettings } from './meilisearch-settings.js';

const complete = { MEILISEARCH_URL: 'http://search.example.com:7700', MEILISEARCH_KEY: 'a secret' };
const settings = (env: Record<string, string>) => meilisearchSettings(loadEnvironment(env));

describe('the Meilisearch server of the environment', () => {
  it('is none when no variable names it', () => {
    expect(settings({})).toBeUndefined();
  });

  it('is what the variables say', () => {
    expect(settings(complete)).toEqual({ url: 'http://search.example.com:7700', key: 'a secret' });
  });

  it.each(Object.keys(complete))('is refused when only %s is missing', (name) => {
    const half = () => settings({ ...complete, [name]: '' });
    expect(half).toThrow(ConfigurationError);
    expect(half).toThrow(`${name} is not set`);
    expect(half).not.toThrow(/a secret/);
  });

  it('is at an origin', () => {
    expect(() => settings({ ...complete, MEILISEARCH_URL: 'http://search.example.com/path' })).toThrow(
      /MEILISEARCH_URL: must be an origin/,
    );
  });
});
