import type { Principal } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { Tenant } from '@quire/tenancy';
import type { AskedFor, AuthQuestions } from './auth-questions.js';
import type { CredentialAuthentication } from './credential-authentication.js';

/** Somebody whom the edge access proxy vouches for. */
export interface Vouched {
  /** The same for all requests with one assertion. */
  key: string;
  userId: string;
  tenant: Tenant;
}

/** The request at hand. */
export interface Visit extends AskedFor {
  /** Texts of the session cookies that the browser sent. */
  sessions: readonly string[];
  userAgent: string | undefined;
}

const maximumOpened = 20_000;

/**
 * The sessions of those whom the edge access proxy vouches for, so that pages outside its protection know them (spec
 * document 1, Sessions). One is opened for an assertion, however many requests come without a cookie.
 */
export class EdgeSessions {
  private readonly opened = new Map<string, Promise<string>>();

  constructor(
    private readonly credentials: CredentialAuthentication,
    private readonly questions: AuthQuestions,
  ) {}

  /**
   * The live session of a visitor: the browser's, or one that was or is opened for it.
   * @returns `newText` when the browser has to be given it.
   * @throws QuireError SERVICE_UNAVAILABLE, ACCOUNT_DISABLED.
   */
  async of(vouched: Vouched, visit: Visit): Promise<{ session: Principal; newText?: string }> {
    for (const text of visit.sessions) {
      const sent = await this.live(vouched, text);
      if (sent) return { session: sent };
    }
    const known = this.opened.get(vouched.key);
    const knownText = await known;
    const open = await this.live(vouched, knownText);
    if (open && knownText !== undefined) return { session: open, newText: knownText };
    const newText = await this.open(vouched, visit, known);
    return { session: await this.credentials.session(newText, vouched.tenant), newText };
  }

  private async live({ userId, tenant }: Vouched, text: string | undefined): Promise<Principal | undefined> {
    if (text === undefined) return undefined;
    try {
      const session = await this.credentials.session(text, tenant);
      return session.userId === userId ? session : undefined;
    } catch (error) {
      // Somebody else's, who is disabled: the visitor is let in by his own assertion.
      if (error instanceof QuireError && error.code === 'ACCOUNT_DISABLED') return undefined;
      throw error;
    }
  }

  /** @param ended the one that was found to be over; another one in its place is shared */
  private open({ key, userId, tenant }: Vouched, visit: Visit, ended?: Promise<string>): Promise<string> {
    const other = this.opened.get(key);
    if (other && other !== ended) return other;
    const { userAgent, requestId, clientAddress, origin } = visit;
    const asked = { requestId, clientAddress, ...(origin === undefined ? {} : { origin }) };
    const opening = this.questions
      .ask<{ session: string }>('edge/session', { userId, userAgent }, tenant, asked)
      .then(({ session }) => session);
    if (this.opened.size >= maximumOpened) this.opened.clear();
    this.opened.set(key, opening);
    opening.catch(() => this.opened.get(key) === opening && this.opened.delete(key));
    return opening;
  }
}
