import { ConfigurationError } from './configuration-error.js';
import type { Environment } from './variables.js';

/** Address and keys of the S3 store of an installation. */
export interface S3Settings {
  endpoint: string;
  /** Origin of the store for clients; undefined if clients have no access to it. */
  publicEndpoint: string | undefined;
  accessKey: string;
  secretKey: string;
  region: string;
  bucket: string;
}

/**
 * Returns the configured S3 store; undefined without one.
 * @throws ConfigurationError when only some of the required variables are set
 */
export function s3Settings(environment: Environment): S3Settings | undefined {
  const { S3_ENDPOINT, S3_PUBLIC_ENDPOINT, S3_REGION } = environment;
  const needed = (name: 'S3_ENDPOINT' | 'S3_ACCESS_KEY' | 'S3_SECRET_KEY' | 'S3_BUCKET') => {
    const value = environment[name];
    if (value === undefined)
      throw new ConfigurationError(
        `${name} is not set: media in an S3 store need S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY and S3_BUCKET`,
      );
    return value;
  };
  // The region has a default and no effect by itself. A bucket without a store is an error: media would not be in S3.
  if (S3_ENDPOINT === undefined && S3_PUBLIC_ENDPOINT === undefined && environment.S3_BUCKET === undefined)
    return undefined;
  return {
    endpoint: needed('S3_ENDPOINT'),
    publicEndpoint: S3_PUBLIC_ENDPOINT,
    accessKey: needed('S3_ACCESS_KEY'),
    secretKey: needed('S3_SECRET_KEY'),
    region: S3_REGION,
    bucket: needed('S3_BUCKET'),
  };
}
