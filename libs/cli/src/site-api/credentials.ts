import { CommandError, SiteError } from '../command-error.js';
import type { HttpClient } from '../http/http-client.js';
import { requestTokens } from '../oauth/tokens.js';
import type { Login, SiteStore, StoredSites } from '../sites/site-store.js';

/** An access token is renewed this long before it expires. */
const marginMs = 30_000;

/** The token of requests to a site. */
export interface Credentials {
  /** A token that has not expired. @throws CommandError when the login has ended */
  accessToken(): Promise<string>;
  /**
   * Replaces a token that the site has rejected.
   * @returns undefined for a token that cannot be replaced
   * @throws CommandError when the login has ended
   */
  renew(rejected: string): Promise<string | undefined>;
}

/** A personal access token: it is used as it is. */
export function personalToken(token: string): Credentials {
  return { accessToken: () => Promise.resolve(token), renew: () => Promise.resolve(undefined) };
}

/** The tokens of a login. The site replaces the refresh token with each use, so only one process renews at a time. */
export class LoginCredentials implements Credentials {
  constructor(
    private readonly deps: { http: HttpClient; store: SiteStore },
    private readonly origin: string,
  ) {}

  async accessToken(): Promise<string> {
    const login = this.loginOf(await this.deps.store.read());
    return isExpired(login) ? this.renew(login.accessToken) : login.accessToken;
  }

  async renew(rejected: string): Promise<string> {
    return this.deps.store.update(async (stored) => {
      const login = this.loginOf(stored);
      // Another process has renewed the tokens since this one read them.
      if (login.accessToken !== rejected && !isExpired(login)) return login.accessToken;
      const renewed = await this.refresh(login).catch((error: unknown) => {
        if (!isEndedLogin(error)) throw error;
        delete stored.sites[this.origin];
        throw endedLogin(this.origin);
      });
      stored.sites[this.origin] = renewed;
      return renewed.accessToken;
    });
  }

  private async refresh(login: Login): Promise<Login> {
    if (login.refreshToken === null) throw new SiteError('There is no refresh token', 400, 'invalid_grant');
    const tokens = await requestTokens(this.deps.http, login.tokenEndpoint, {
      grant_type: 'refresh_token',
      refresh_token: login.refreshToken,
      client_id: login.clientId,
    });
    const { accessToken, refreshToken = login.refreshToken, expiresAt, scopes = login.scopes } = tokens;
    return { ...login, accessToken, refreshToken, expiresAt, scopes };
  }

  private loginOf({ sites }: StoredSites): Login {
    const login = sites[this.origin];
    if (!login)
      throw new CommandError(`You are not logged in at ${this.origin}: run cms login ${this.origin}`);
    return login;
  }
}

function isExpired({ expiresAt }: Login): boolean {
  return Date.parse(expiresAt) - marginMs <= Date.now();
}

/** Whether the site no longer takes the refresh token (RFC 6749, 5.2). */
function isEndedLogin(error: unknown): boolean {
  return error instanceof SiteError && ['invalid_grant', 'invalid_client'].includes(error.code);
}

function endedLogin(origin: string): CommandError {
  return new CommandError(`The login at ${origin} has ended: run cms login ${origin}`);
}
