import type { Principal } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { Tenant } from '@quire/tenancy';
import type { AuthApiClient, CredentialAuthentication, RequestOrigin } from '../authentication/index.js';

/** Somebody whom the edge access proxy vouches for. */
export interface ProxyIdentity {
  /** The same for all requests with one assertion. */
  key: string;
  userId: string;
  tenant: Tenant;
}

/** The request at hand. */
export interface RequestInfo extends RequestOrigin {
  /** Texts of the session cookies that the browser sent. */
  sessions: readonly string[];
  userAgent: string | undefined;
}

const maxOpenSessions = 20_000;

/**
 * The sessions of those whom the edge access proxy vouches for, so that pages outside its protection know them (spec
 * document 1, Sessions). One is opened for an assertion, however many requests come without a cookie.
 */
export class EdgeSessions {
  private readonly opened = new Map<string, Promise<string>>();

  constructor(
    private readonly credentials: CredentialAuthentication,
    private readonly authClient: AuthApiClient,
  ) {}

  /**
   * The live session of a visitor: the browser's, or one that was or is opened for it.
   * @returns `newText` when the browser has to be given it.
   * @throws QuireError SERVICE_UNAVAILABLE, ACCOUNT_DISABLED.
   */
  async of(
    proxyIdentity: ProxyIdentity,
    requestInfo: RequestInfo,
  ): Promise<{ session: Principal; newText?: string }> {
    for (const text of requestInfo.sessions) {
      const sent = await this.live(proxyIdentity, text);
      if (sent) return { session: sent };
    }
    const known = this.opened.get(proxyIdentity.key);
    const knownText = await known;
    const open = await this.live(proxyIdentity, knownText);
    if (open && knownText !== undefined) return { session: open, newText: knownText };
    const newText = await this.open(proxyIdentity, requestInfo, known);
    return { session: await this.credentials.session(newText, proxyIdentity.tenant), newText };
  }

  private async live(
    { userId, tenant }: ProxyIdentity,
    text: string | undefined,
  ): Promise<Principal | undefined> {
    if (text === undefined) return undefined;
    try {
      const session = await this.credentials.session(text, tenant);
      return session.userId === userId ? session : undefined;
    } catch (error) {
      // Somebody else's, who is disabled: the visitor is let in by their own assertion.
      if (error instanceof QuireError && error.code === 'ACCOUNT_DISABLED') return undefined;
      throw error;
    }
  }

  /** @param ended the one that was found to be over; another one in its place is shared */
  private open(
    { key, userId, tenant }: ProxyIdentity,
    requestInfo: RequestInfo,
    ended?: Promise<string>,
  ): Promise<string> {
    const other = this.opened.get(key);
    if (other && other !== ended) return other;
    const { userAgent, requestId, clientAddress, origin } = requestInfo;
    const asked = { requestId, clientAddress, ...(origin === undefined ? {} : { origin }) };
    const opening = this.authClient
      .request<{ session: string }>('edge/session', { userId, userAgent }, tenant, asked)
      .then(({ session }) => session);
    if (this.opened.size >= maxOpenSessions) this.opened.clear();
    this.opened.set(key, opening);
    opening.catch(() => this.opened.get(key) === opening && this.opened.delete(key));
    return opening;
  }
}
