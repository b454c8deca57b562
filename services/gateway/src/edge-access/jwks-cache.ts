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

/** Timeout of a fetch, and the pause after a failed one, in milliseconds. */
export interface JwksTimeouts {
  fetchTimeoutMs: number;
  retryAfterFailureMs: number;
}
const defaultTimeouts: JwksTimeouts = { fetchTimeoutMs: 5_000, retryAfterFailureMs: 5_000 };
const keyMaxAgeMs = 10 * 60_000;
/** Shortest time between fetches that unknown key ids cause. */
const unknownKeyCooldownMs = 30_000;
/** Longest use of keys after their fetch while they cannot be fetched again. */
const staleIfErrorMs = 60 * 60_000;

/**
 * The published signing keys of an access team: fetched at the first use and every ten minutes, for an unknown key id
 * at most every half minute, and after a failure only after a pause.
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
   * Returns the key of an assertion.
   * @throws JOSEError when the team has no such key; QuireError SERVICE_UNAVAILABLE when the keys are unavailable.
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

/** Whether the error is about the assertion, which names no key of the team, and not about the fetch. */
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
