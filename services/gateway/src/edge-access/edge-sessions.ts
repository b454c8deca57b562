import type { Principal } from '@quire/context';
import { QuireError } from '@quire/errors';
import { authApi } from '@quire/internal-api';
import { createCache } from '@quire/observability';
import type { InternalApiClient, RequestOrigin } from '@quire/service-client';
import type { Tenant } from '@quire/tenancy';
import type { LRUCache } from 'lru-cache';
import type { CredentialAuthentication } from '../authentication/index.js';

/** A user whom the edge access proxy has authenticated. */
export interface ProxyIdentity {
  /** The same for all requests with one assertion. */
  key: string;
  userId: string;
  tenant: Tenant;
}

/** The request that carries the assertion. */
export interface RequestInfo extends RequestOrigin {
  /** Session tokens of the request's cookies. */
  sessions: readonly string[];
  userAgent: string | undefined;
}

const maxOpenSessions = 20_000;

/**
 * Sessions of users of the edge access proxy, for pages outside its protection (spec document 1, Sessions). Each
 * assertion opens one session, however many requests come without a cookie.
 */
export class EdgeSessions {
  /** Session tokens by assertion. */
  private readonly opened: LRUCache<string, Promise<string>>;

  constructor(
    private readonly credentials: CredentialAuthentication,
    private readonly auth: InternalApiClient,
    max = maxOpenSessions,
  ) {
    this.opened = createCache('edge_sessions', { max });
  }

  /**
   * Returns the live session of a user: the browser's, or one that is opened for the assertion.
   * @returns `newText` when the response has to set the cookie
   * @throws QuireError SERVICE_UNAVAILABLE, ACCOUNT_DISABLED.
   */
  async of(
    proxyIdentity: ProxyIdentity,
    requestInfo: RequestInfo,
  ): Promise<{ session: Principal; newText?: string }> {
    for (const text of requestInfo.sessions) {
      const sent = await this.live(proxyIdentity, text, requestInfo);
      if (sent) return { session: sent };
    }
    const known = this.opened.get(proxyIdentity.key);
    const knownText = await known;
    const open = await this.live(proxyIdentity, knownText, requestInfo);
    if (open && knownText !== undefined) return { session: open, newText: knownText };
    const newText = await this.open(proxyIdentity, requestInfo, known);
    return {
      session: await this.credentials.session(newText, proxyIdentity.tenant, requestInfo.trace),
      newText,
    };
  }

  private async live(
    { userId, tenant }: ProxyIdentity,
    text: string | undefined,
    { trace }: RequestInfo,
  ): Promise<Principal | undefined> {
    if (text === undefined) return undefined;
    try {
      const session = await this.credentials.session(text, tenant, trace);
      return session.userId === userId ? session : undefined;
    } catch (error) {
      // The session belongs to another, disabled user. The assertion takes precedence.
      if (error instanceof QuireError && error.code === 'ACCOUNT_DISABLED') return undefined;
      throw error;
    }
  }

  /** @param ended the expired session; a session that has replaced it is shared */
  private open(
    { key, userId, tenant }: ProxyIdentity,
    requestInfo: RequestInfo,
    ended?: Promise<string>,
  ): Promise<string> {
    const other = this.opened.get(key);
    if (other && other !== ended) return other;
    const { userAgent, requestId, clientAddress, origin, trace } = requestInfo;
    const requestOrigin = { requestId, clientAddress, trace, ...(origin === undefined ? {} : { origin }) };
    const opening = this.auth
      .call(authApi.openEdgeSession, { principal: { tenant } }, { userId, userAgent }, { requestOrigin })
      .then(({ session }) => session);
    this.opened.set(key, opening);
    opening.catch(() => this.opened.peek(key) === opening && this.opened.delete(key));
    return opening;
  }
}
