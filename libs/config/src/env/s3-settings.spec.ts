import { describe, expect, it } from '@jest/globals';
import { ConfigurationError, loadEnvironment } from './load-environment.js';
import { s3Settings } from './s3-settings.js';

const complete = {
  S3_ENDPOINT: 'https://s3.example.com',
  S3_ACCESS_KEY: 'a key',
  S3_SECRET_KEY: 'a secret',
  S3_BUCKET: 'media',
};
const settings = (env: Record<string, string>) => s3Settings(loadEnvironment(env));

describe('the S3 store of the environment', () => {
  it('is none when no variable names it', () => {
    expect(settings({})).toBeUndefined();
    expect(settings({ S3_REGION: 'eu-central-1' })).toBeUndefined();
  });

  it('is what the variables say', () => {
    const publicEndpoint = 'https://media.example.com';
    expect(settings({ ...complete, S3_REGION: 'eu', S3_PUBLIC_ENDPOINT: publicEndpoint })).toEqual({
      endpoint: 'https://s3.example.com',
      publicEndpoint,
      accessKey: 'a key',
      secretKey: 'a secret',
      region: 'eu',
      bucket: 'media',
    });
    expect(settings(complete)).toMatchObject({ region: 'us-east-1', publicEndpoint: undefined });
  });

  it.each(Object.keys(complete))('is refused when only %s is missing', (name) => {
    const half = () => settings({ ...complete, [name]: '' });
    expect(half).toThrow(ConfigurationError);
    expect(half).toThrow(`${name} is not set`);
    expect(half).not.toThrow(/a secret/);
  });

  it.each([
    's3.example.com',
    'ftp://s3.example.com',
    'https://s3.example.com/bucket',
    'https://a:b@s3.example.com',
  ])('is not at %s, which is no origin', (endpoint) => {
    expect(() => loadEnvironment({ S3_ENDPOINT: endpoint })).toThrow(/S3_ENDPOINT: must be an origin/);
  });

  it.each(['ab', 'Media', 'media_files', '-media', 'a'.repeat(64)])('has no bucket %s', (bucket) => {
    expect(() => loadEnvironment({ S3_BUCKET: bucket })).toThrow(/S3_BUCKET: must be 3 to 63/);
  });
});
