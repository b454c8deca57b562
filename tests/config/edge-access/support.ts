import { edgeAccess, type EdgeAccessInput } from '@quire/config';
import { eventually, FakeAccessProvider, useFixture, type AssertionChanges } from '@quire/testing';
import { request as send } from 'undici';
import { ConfigTestEnvironment } from '../support.js';

/** A response with the members of its envelope. */
export interface EdgeResponse {
  status: number;
  type: string;
  text: string;
  headers: Record<string, string | string[] | undefined>;
  /** Value of the session cookie; undefined when the response sets none. */
  session: string | undefined;
  // Tests read responses without types; their expectations check the shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  data: any;
  error: { code: string; message: string } | undefined;
}

interface EdgeRequest {
  assertion?: string | undefined;
  session?: string | undefined;
  headers?: Record<string, string>;
  body?: unknown;
}

const api = '/_cms/api';

/** Installations behind an edge access proxy, with a fake access provider that signs assertions for all of them. */
export class EdgeTestEnvironment {
  private constructor(
    readonly team: FakeAccessProvider,
    private readonly testEnvironment: ConfigTestEnvironment,
  ) {}

  static async open(): Promise<EdgeTestEnvironment> {
    return new EdgeTestEnvironment(await FakeAccessProvider.open(), await ConfigTestEnvironment.open());
  }

  /** Starts an installation. @returns the origin of its gateway. */
  async start(
    options: Partial<EdgeAccessInput> = {},
    { isDistributed = false }: { isDistributed?: boolean } = {},
  ): Promise<string> {
    const auth = edgeAccess({ teamDomain: this.team.origin, audience: this.team.audience, ...options });
    return isDistributed
      ? this.testEnvironment.startDistributed({ site: { auth } })
      : this.testEnvironment.start({ site: { auth } });
  }

  /** A new site, without any user. */
  async site(origin: string): Promise<EdgeSite> {
    const { tenant, host } = await this.testEnvironment.newSite();
    return new EdgeSite(this, origin, tenant, host);
  }

  token(tenant: string, role: string, email: string): Promise<string> {
    return this.testEnvironment.adminService.createToken({ tenant, role, email, scopes: [] });
  }

  stopAllExcept(remaining?: string): Promise<void> {
    return this.testEnvironment.stopAllExcept(remaining);
  }

  async close(): Promise<void> {
    await this.testEnvironment.close();
    await this.team.close();
  }
}

/** Opens a test environment for a file, and closes it after the tests. */
export function useEdgeTestEnvironment(): EdgeTestEnvironment {
  return useFixture(() => EdgeTestEnvironment.open(), { timeoutMs: 60_000 });
}

/** A site behind an edge access proxy, and requests of its visitors. */
export class EdgeSite {
  constructor(
    private readonly testEnvironment: EdgeTestEnvironment,
    /** Origin of a gateway of the installation. */
    readonly origin: string,
    readonly tenant: string,
    readonly host: string,
  ) {}

  at(origin: string): EdgeSite {
    return new EdgeSite(this.testEnvironment, origin, this.tenant, this.host);
  }

  email(name: string): string {
    return `${name}@${this.host}`;
  }

  /** Signs a new assertion for a user. */
  assert(name: string, changes?: AssertionChanges): Promise<string> {
    return this.testEnvironment.team.assert(this.email(name), changes);
  }

  /** Gets the caller with a new assertion. */
  async visit(name: string, claims: Record<string, unknown> = {}): Promise<EdgeResponse> {
    return this.get('/auth/me', { assertion: await this.assert(name, { claims }) });
  }

  /** Creates a token of a user of this role, as the command line does. */
  token(role: string, name = role): Promise<string> {
    return this.testEnvironment.token(this.tenant, role, this.email(name));
  }

  get(path: string, sent?: EdgeRequest): Promise<EdgeResponse> {
    return this.send('GET', path, sent);
  }

  /** A POST with the CSRF header of own pages. */
  post(path: string, { headers, ...sent }: EdgeRequest = {}): Promise<EdgeResponse> {
    return this.send('POST', path, { ...sent, headers: { 'x-cms-request': '1', ...headers } });
  }

  async send(
    method: string,
    path: string,
    { assertion, session, headers, body }: EdgeRequest = {},
  ): Promise<EdgeResponse> {
    const url = /^\/(?:_cms|\.well-known)\//.test(path) ? path : api + path;
    const response = await send(this.origin + url, {
      method: method as 'GET',
      headers: {
        host: this.host,
        ...(assertion === undefined ? {} : { 'edge-access-jwt-assertion': assertion }),
        ...(session === undefined ? {} : { cookie: `cms_session=${session}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.body.text();
    return {
      status: response.statusCode,
      type: String(response.headers['content-type'] ?? ''),
      text,
      headers: response.headers,
      session: /(?:^|,)cms_session=([^;]*)/.exec(String(response.headers['set-cookie'] ?? ''))?.[1],
      ...parsed(text),
    };
  }
}

function parsed(text: string): Pick<EdgeResponse, 'data' | 'error'> {
  try {
    const body = JSON.parse(text) as Pick<EdgeResponse, 'data' | 'error'>;
    return { data: body.data ?? body, error: body.error };
  } catch {
    return { data: undefined, error: undefined };
  }
}

/** Polls until the value differs, because a change takes time to reach every process. @returns the new value */
export const waitForChange = <Value>(previous: Value, read: () => Promise<Value>): Promise<Value> =>
  eventually(read, (current) => current !== previous);
