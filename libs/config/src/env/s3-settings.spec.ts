import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from './configuration-error.js';
import { loadEnvironment } from './load-environment.js';
import { s3Settings } from './s3-settings.js';

const complete = {
  S3_ENDPOINT: 'https://s3.example.com',
  S3_ACCESS_KEY: 'a key',
  S3_SECRET_KEY: 'a secret',
  S3_BUCKET: 'media',
};
const settings = (env: Record<string, string>) => s3Settings(loadEnvironment(env));

describe('the S3 store of the environment', () => {
  it('is undefined without its variables', () => {
    expect(settings({})).toBeUndefined();
    expect(settings({ S3_REGION: 'eu-central-1' })).toBeUndefined();
  });

  it('has the values of the variables', () => {
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

  it.each(Object.keys(complete))('is rejected without %s', (name) => {
    const incomplete = () => settings({ ...complete, [name]: '' });
    expect(incomplete).toThrow(ConfigurationError);
    expect(incomplete).toThrow(`${name} is not set`);
    expect(incomplete).not.toThrow(/a secret/);
  });

  it.each([
    's3.example.com',
    'ftp://s3.example.com',
    'https://s3.example.com/bucket',
    'https://a:b@s3.example.com',
  ])('rejects the endpoint %s', (endpoint) => {
    expect(() => loadEnvironment({ S3_ENDPOINT: endpoint })).toThrow(/S3_ENDPOINT: must be an origin/);
  });

  it.each(['ab', 'Media', 'media_files', '-media', 'a'.repeat(64)])('rejects the bucket %s', (bucket) => {
    expect(() => loadEnvironment({ S3_BUCKET: bucket })).toThrow(/S3_BUCKET: must be 3 to 63/);
  });
});
