import { errors, jwtVerify, type JWTPayload } from 'jose';
import type { EdgeAccessOptions } from '@quire/config';
import { QuireError } from '@quire/errors';
import { groupsOf, loadGroups } from './edge-groups.js';
import { JwksCache, type JwksTimeouts } from './jwks-cache.js';
import { EdgeAccessError } from './edge-access-error.js';

/** Whom the edge access proxy says it let in. */
export interface EdgeIdentity {
  email: string;
  name: string | null;
  /** ISO time. */
  issuedAt: string;
  /** ISO time of the sign-in at the proxy, where the assertion tells it. */
  authenticatedAt: string | undefined;
  /** Names of groups; undefined when the assertion says nothing of them. */
  groups: ReadonlySet<string> | undefined;
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
   * Who is meant by an assertion.
   * @throws EdgeAccessError when it is missing or does not hold; QuireError SERVICE_UNAVAILABLE when the keys cannot be
   *   had.
   */
  async identify(assertion: string | undefined): Promise<EdgeIdentity> {
    if (assertion === undefined || assertion === '') throw new EdgeAccessError(401, 'No Access JWT present');
    const payload = await this.verify(assertion);
    const { email, name } = payload as { email?: unknown; name?: unknown };
    // A program that the proxy let in has a name and no address: no user is like that.
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
   * Role of somebody's groups, the first mapped one deciding; null when they are in none. Groups that the assertion
   * does not name are asked of the access team.
   * @throws QuireError SERVICE_UNAVAILABLE when they cannot be had.
   */
  async mappedRole(assertion: string, { groups }: EdgeIdentity): Promise<number | null> {
    const { roleMapping, teamDomain } = this.options;
    if (!roleMapping) return null;
    const names = groups ?? (await loadGroups(teamDomain, assertion));
    const match = Object.entries(roleMapping).find(([group]) => names.has(group));
    return match?.[1] ?? null;
  }

  /**
   * What an assertion claims, be it of a person or of a program.
   * @throws EdgeAccessError when it does not hold; QuireError SERVICE_UNAVAILABLE when the keys cannot be had.
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

/** Never later than now, so that a clock that is ahead for a while does not make all that follows look old. */
function issueOf({ iat }: JWTPayload): string {
  const now = Date.now();
  return new Date(iat === undefined ? now : Math.max(0, Math.min(iat * 1000, now))).toISOString();
}
