import { errors, jwtVerify, type JWTPayload } from 'jose';
import type { EdgeAccessOptions } from '@quire/config';
import { QuireError } from '@quire/errors';
import { groupsOf, loadGroups } from './edge-groups.js';
import { JwksCache, type JwksTimeouts } from './jwks-cache.js';

/** The user of an assertion of the edge access proxy. */
export interface EdgeIdentity {
  email: string;
  name: string | null;
  /** ISO time. */
  issuedAt: string;
  /** ISO time of the sign-in at the proxy, if the assertion has it. */
  authenticatedAt: string | undefined;
  /** Names of groups; undefined when the assertion has no groups. */
  groups: ReadonlySet<string> | undefined;
}

/** A missing or invalid assertion of the edge access proxy. Clients get its message as plain text (contract 29). */
export class EdgeAccessError extends Error {
  constructor(
    readonly status: 401 | 403,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EdgeAccessError';
  }
}

/** Lower-case name of the header in which the edge access proxy sends its assertion. */
export const assertionHeader = 'edge-access-jwt-assertion';

const algorithms = ['RS256', 'ES256'];

/** Checks the assertions of an edge access proxy: signature by the team's published keys, issuer, audience, time. */
export class EdgeAccess {
  private readonly keys: JwksCache;

  /** @param audience from the options, or from the environment variable that they name */
  constructor(
    private readonly options: EdgeAccessOptions,
    private readonly audience: string,
    timeouts?: JwksTimeouts,
  ) {
    this.keys = new JwksCache(options.teamDomain, timeouts);
  }

  /**
   * Returns the user of an assertion.
   * @throws EdgeAccessError when the assertion is missing or invalid; QuireError SERVICE_UNAVAILABLE when the keys are
   *   unavailable.
   */
  async identify(assertion: string | undefined): Promise<EdgeIdentity> {
    if (assertion === undefined || assertion === '') throw new EdgeAccessError(401, 'No Access JWT present');
    const payload = await this.verify(assertion);
    const { email, name } = payload as { email?: unknown; name?: unknown };
    // The assertion of a program has a name and no address. A user has an address.
    if (typeof email !== 'string') throw new EdgeAccessError(403, 'User not authorized');
    return {
      email,
      name: typeof name === 'string' ? name : null,
      issuedAt: issueOf(payload),
      authenticatedAt: payload.iat === undefined ? undefined : issueOf(payload),
      groups: groupsOf(payload) ?? groupsOf(payload['custom']),
    };
  }

  /**
   * Returns the role of the first mapped group of a user, or null without such a group. If the assertion has no groups,
   * they are requested from the access team.
   * @throws QuireError SERVICE_UNAVAILABLE when the groups are unavailable.
   */
  async mappedRole(assertion: string, { groups }: EdgeIdentity): Promise<number | null> {
    const { roleMapping, teamDomain } = this.options;
    if (!roleMapping) return null;
    const names = groups ?? (await loadGroups(teamDomain, assertion));
    const match = Object.entries(roleMapping).find(([group]) => names.has(group));
    return match?.[1] ?? null;
  }

  /**
   * Returns the claims of an assertion, of a user or of a program.
   * @throws EdgeAccessError when the assertion is invalid; QuireError SERVICE_UNAVAILABLE when the keys are
   *   unavailable.
   */
  async verify(assertion: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(assertion, this.keys.find, {
        issuer: this.options.teamDomain,
        audience: this.audience,
        algorithms,
        requiredClaims: ['exp'],
      });
      return payload;
    } catch (error) {
      if (error instanceof QuireError) throw error;
      const isOfAnother = error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud';
      throw new EdgeAccessError(401, isOfAnother ? 'JWT audience mismatch' : 'Access JWT not valid', error);
    }
  }
}

/** Time of issue, at most now: after a clock that was ahead, later assertions would look older than this one. */
function issueOf({ iat }: JWTPayload): string {
  const now = Date.now();
  return new Date(iat === undefined ? now : Math.max(0, Math.min(iat * 1000, now))).toISOString();
}
