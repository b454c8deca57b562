import { cookieOf, openSite, type ApiResponse, type Site } from '@quire/testing';

/** An account at the OpenID provider. */
export interface OpenIdAccount {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

/** An account at GitHub. */
export interface GitHubAccount {
  user: { id: number; login: string; name?: string | null };
  emails: { email: string; primary: boolean; verified: boolean }[];
  fault?: 'profile' | 'huge';
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const prefix = '/auth/oauth';

/** Address of a redirect. */
export const locationOf = ({ headers }: ApiResponse): string => headers.get('location') ?? '';

/** Error code in a redirect to the login page; undefined for other redirects. */
export function loginErrorOf(response: ApiResponse): string | undefined {
  const { pathname, searchParams } = new URL(locationOf(response), 'http://site.example');
  return pathname === '/_cms/admin/login' ? (searchParams.get('error') ?? undefined) : undefined;
}

/** The session that a response opens; undefined when it opens none. */
export const sessionOf = (response: ApiResponse): string | undefined => cookieOf(response, 'cms_session');

/** A browser at one site, with its cookies. */
export class Browser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly site: Site) {}

  setCookie(name: string, value: string): this {
    this.cookies.set(name, value);
    return this;
  }

  /** Selects a provider on the login page. */
  async leave(provider: string, query: Record<string, string> = {}): Promise<ApiResponse> {
    const response = await this.get(`${prefix}/${provider}?${new URLSearchParams(query).toString()}`);
    const cookie = cookieOf(response, 'cms_login');
    if (cookie !== undefined) this.setCookie('cms_login', cookie);
    return response;
  }

  /** Opens the callback of a provider. @param address of the provider's redirect, or its query */
  returnFromProvider(provider: string, address: string | Record<string, string>): Promise<ApiResponse> {
    const query =
      typeof address === 'string' ? new URL(address).search : `?${new URLSearchParams(address).toString()}`;
    return this.get(`${prefix}/${provider}/callback${query}`);
  }

  /** Signs in with an account of the OpenID provider. */
  async google(account: OpenIdAccount | 'no', query: Record<string, string> = {}): Promise<ApiResponse> {
    return this.returnFromProvider(
      'google',
      await atOpenIdProvider(locationOf(await this.leave('google', query)), account),
    );
  }

  /** Signs in with an account of GitHub. */
  async github(account: GitHubAccount, query: Record<string, string> = {}): Promise<ApiResponse> {
    return this.returnFromProvider(
      'github',
      await atGitHub(locationOf(await this.leave('github', query)), account),
    );
  }

  /** Signs in with a handle. */
  async handle(handle: string, query: Record<string, string> = {}): Promise<ApiResponse> {
    const location = locationOf(await this.leave('handle', { handle, ...query }));
    return this.returnFromProvider('handle', { code: 'any', state: stateOf(location) });
  }

  private get(path: string): Promise<ApiResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return this.site.anonymous().get(path, cookie === '' ? {} : { headers: { cookie } });
  }
}

export const stateOf = (location: string): string => new URL(location).searchParams.get('state') ?? '';

/** Signs in at the OpenID provider. @returns the address of its last redirect */
export async function atOpenIdProvider(location: string, account: OpenIdAccount | 'no'): Promise<string> {
  const { origin } = new URL(location);
  const cookies = new Map<string, string>();
  let next = `${location}&login_hint=${account === 'no' ? account : encoded(account)}`;
  while (new URL(next).origin === origin) {
    const response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`The OpenID provider stopped: ${response.status} ${await response.text()}`);
    next = new URL(location, next).href;
  }
  return next;
}

/** Signs in at GitHub. @returns the address of its redirect */
export async function atGitHub(location: string, account: GitHubAccount): Promise<string> {
  const response = await fetch(`${location}&account=${encoded(account)}`, { redirect: 'manual' });
  return response.headers.get('location') ?? '';
}

/** Runs a test on a new site, and closes the site. */
export async function onNewSite(test: (site: Site) => Promise<void>): Promise<void> {
  const site = await openSite();
  await test(site);
  await site.close();
}
