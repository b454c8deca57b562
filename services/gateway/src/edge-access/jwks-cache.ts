import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  jwksCache,
  type ExportedJWKSCache,
  type JWTVerifyGetKey,
} from 'jose';
import { QuireError } from '@quire/errors';

const certificatesPath = '/cdn-cgi/access/certs';

/** How long a fetch may take, and how soon after a failed one comes the next, in milliseconds. */
export interface JwksTimeouts {
  fetchTimeoutMs: number;
  retryAfterFailureMs: number;
}
const defaultTimeouts: JwksTimeouts = { fetchTimeoutMs: 5_000, retryAfterFailureMs: 5_000 };
const keyMaxAgeMs = 10 * 60_000;
/** However many unknown keys are named, the keys are fetched for them this often at most. */
const unknownKeyCooldownMs = 30_000;
/** Keys that cannot be renewed are used for this long after they were fetched. */
const staleIfErrorMs = 60 * 60_000;

/**
 * The keys with which an access team signs, from where it publishes them: fetched when they are first needed and every
 * ten minutes, for an unknown key at most every half minute, and after a failure only some seconds later.
 */
export class JwksCache {
  private readonly fetched: Partial<ExportedJWKSCache> = {};
  private readonly current: JWTVerifyGetKey;
  private failedUntil = 0;

  /** @param team origin of the access team */
  constructor(
    team: string,
    private readonly timeouts: JwksTimeouts = defaultTimeouts,
  ) {
    this.current = createRemoteJWKSet(new URL(certificatesPath, team), {
      cacheMaxAge: keyMaxAgeMs,
      cooldownDuration: unknownKeyCooldownMs,
      timeoutDuration: timeouts.fetchTimeoutMs,
      [jwksCache]: this.fetched as ExportedJWKSCache,
      [customFetch]: (url, options) => {
        if (Date.now() < this.failedUntil) throw new Error('Key fetch is paused after a failure');
        return fetch(url, options);
      },
    });
  }

  /**
   * The key of an assertion.
   * @throws JOSEError when the team has no such key; QuireError SERVICE_UNAVAILABLE when that cannot be found out now.
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    try {
      return await this.current(header, token);
    } catch (error) {
      if (isUnknownKeyError(error)) throw error;
      const now = Date.now();
      if (now >= this.failedUntil) this.failedUntil = now + this.timeouts.retryAfterFailureMs;
      return this.findInStaleKeys(header, token, error);
    }
  };

  private async findInStaleKeys(...[header, token, cause]: [...Parameters<JWTVerifyGetKey>, unknown]) {
    const { jwks, uat = 0 } = this.fetched;
    if (jwks === undefined || Date.now() > uat + staleIfErrorMs) throw unavailable(cause);
    try {
      return await createLocalJWKSet(jwks)(header, token);
    } catch {
      throw unavailable(cause);
    }
  }
}

/** Whether the assertion is to blame: it names no key of the team's. */
function isUnknownKeyError(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}

function unavailable(cause: unknown): QuireError {
  return new QuireError('SERVICE_UNAVAILABLE', 'The keys of the access proxy are unavailable; retry later', {
    retryAfterSeconds: 5,
    cause,
  });
}
