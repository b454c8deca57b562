import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { clientKey } from '@quire/rate-limit';
import { findOperatorById, findOperatorByToken, touchOperatorToken, type Operator } from '@quire/tenancy';
import { parseCookie } from 'cookie';
import { LRUCache } from 'lru-cache';
import { FailureLimit } from './failure-limit.js';
import type { OperatorSessions } from './operator-sessions.js';
import { assertSameOrigin, safeMethods } from './same-origin.js';

export const sessionCookie = 'quire_ops';

/** A revoked token is valid no longer than this. */
const cacheMs = 2_000;
const maxCached = 200;
const bearer = /^Bearer +(\S+)$/i;

/** Identifies the operator of a request, by a Bearer token or by the session of a browser. */
export class OperatorAuthentication {
  private readonly cache = new LRUCache<string, Operator>({ max: maxCached, ttl: cacheMs });
  private readonly failures = new FailureLimit();

  constructor(
    private readonly openRegistry: () => Promise<Queryable>,
    private readonly sessions: OperatorSessions,
  ) {}

  /**
   * The operator of a request; undefined without credentials, or with those that are not valid.
   * @throws QuireError RATE_LIMITED after many invalid tokens of the client, CSRF_REJECTED for a change with the
   *   session of a browser by another site
   */
  async authenticate(request: IncomingMessage): Promise<Operator | undefined> {
    const { authorization, cookie } = request.headers;
    if (authorization !== undefined) {
      const token = bearer.exec(authorization)?.[1];
      return token === undefined ? undefined : this.byToken(token, request);
    }
    const session = parseCookie(cookie ?? '')[sessionCookie];
    if (session === undefined) return undefined;
    const operator = await this.bySession(session);
    if (operator && !safeMethods.has(request.method ?? '')) assertSameOrigin(request);
    return operator;
  }

  /** The operator of a token; undefined if it is not valid. @throws QuireError RATE_LIMITED */
  async byToken(token: string, request: IncomingMessage): Promise<Operator | undefined> {
    const address = clientKey(request.socket.remoteAddress ?? '');
    const retryAfterSeconds = this.failures.retryAfterSeconds(address);
    if (retryAfterSeconds > 0)
      throw new QuireError('RATE_LIMITED', 'Too many invalid tokens: try again later', { retryAfterSeconds });
    const operator = await this.cached(token, (sql) => findOperatorByToken(sql, token));
    if (!operator) this.failures.add(address);
    return operator;
  }

  private async bySession(session: string): Promise<Operator | undefined> {
    const id = this.sessions.tokenIdOf(session);
    if (id === undefined) return undefined;
    return this.cached(session, async (sql) => {
      const operator = await findOperatorById(sql, id);
      return operator && this.sessions.isValid(session, operator) ? operator : undefined;
    });
  }

  private async cached(
    credential: string,
    find: (sql: Queryable) => Promise<Operator | undefined>,
  ): Promise<Operator | undefined> {
    // A dump of the memory shows no credential.
    const key = createHash('sha256').update(credential).digest('base64url');
    const known = this.cache.get(key);
    if (known) return known;
    const sql = await this.openRegistry();
    const operator = await find(sql);
    if (!operator) return undefined;
    await touchOperatorToken(sql, operator.id);
    this.cache.set(key, operator);
    return operator;
  }
}
