import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import type { EdgeAccessOptions } from '@quire/config';
import { QuireError } from '@quire/errors';

/** Whom the edge proxy says it let in. */
export interface EdgeIdentity {
  email: string;
  name: string | null;
  /** Role of the first mapped group that the person is in; null when none is. */
  mappedRole: number | null;
}

/** Lower-case name of the header in which the edge proxy sends its assertion. */
export const assertionHeader = 'edge-access-jwt-assertion';

const certificatesPath = '/cdn-cgi/access/certs';
const algorithms = ['RS256', 'ES256'];
const keys = { cacheMaxAge: 600_000, cooldownDuration: 30_000, timeoutDuration: 5_000 };

/** What clients see when the edge proxy's word is missing or does not hold: plain text (contract 29). */
export class EdgeRefusal extends Error {
  constructor(
    readonly status: 401 | 403,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EdgeRefusal';
  }
}

/**
 * Checks the assertions of an edge access proxy: signature by the team's published keys, issuer, audience, time. The keys
 * are fetched when they are first needed, kept for ten minutes, and fetched again for an unknown one at most every half
 * minute, however many unknown ones come.
 */
export class EdgeAccess {
  private readonly issuer: string;
  private readonly audience: string;
  private readonly keySet: JWTVerifyGetKey;

  /** @param audience from the options, or from the environment variable that they name */
  constructor(
    private readonly options: EdgeAccessOptions,
    audience: string,
  ) {
    this.issuer = new URL(options.teamDomain.includes('://') ? options.teamDomain : `https://${options.teamDomain}`).origin;
    this.audience = audience;
    this.keySet = createRemoteJWKSet(new URL(certificatesPath, this.issuer), keys);
  }

  /**
   * Who is meant by an assertion.
   * @throws EdgeRefusal when it is missing or does not hold; QuireError SERVICE_UNAVAILABLE when the keys cannot be had.
   */
  async identify(assertion: string | undefined): Promise<EdgeIdentity> {
    if (assertion === undefined || assertion === '') throw new EdgeRefusal(401, 'No Access JWT present');
    const payload = await this.verified(assertion);
    const { email, name } = payload as { email?: unknown; name?: unknown };
    if (typeof email !== 'string' || email === '') throw new EdgeRefusal(403, 'User not authorized');
    return {
      email,
      name: typeof name === 'string' && name.trim() !== '' ? name.trim() : null,
      mappedRole: this.roleOf(payload),
    };
  }

  private async verified(assertion: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(assertion, this.keySet, {
        issuer: this.issuer,
        audience: this.audience,
        algorithms,
        requiredClaims: ['exp', 'iat'],
      });
      return payload;
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /** The first matching group wins, in the order of the mapping. */
  private roleOf(payload: JWTPayload): number | null {
    const groups = groupsOf(payload);
    const match = Object.entries(this.options.roleMapping ?? {}).find(([group]) => groups.has(group));
    return match?.[1] ?? null;
  }
}

/** Groups as proxies put them: names, or objects with one; at the top or among the custom claims. */
function groupsOf(payload: JWTPayload): Set<string> {
  const custom = payload['custom'] as { groups?: unknown } | undefined;
  const listed = payload['groups'] ?? custom?.groups;
  const names = (Array.isArray(listed) ? listed : []).map((group: unknown) =>
    typeof group === 'string' ? group : (group as { name?: unknown } | null)?.name,
  );
  return new Set(names.filter((name): name is string => typeof name === 'string'));
}

function refusalOf(error: unknown): Error {
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud')
    return new EdgeRefusal(401, 'JWT audience mismatch', error);
  const isUnreachable =
    error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError) || error.code === 'ERR_JOSE_GENERIC';
  if (!isUnreachable) return new EdgeRefusal(401, 'Access JWT not valid', error);
  return new QuireError('SERVICE_UNAVAILABLE', 'The keys of the access proxy cannot be had now; try again shortly', {
    retryAfterSeconds: 5,
    cause: error,
  });
}
