import { edgeAccess, type EdgeAccessInput } from '@quire/config';
import { FakeAccessProvider, eventually, type AssertionChanges } from '@quire/testing';
import { request as send } from 'undici';
import { ConfigTestEnvironment } from './config-test-environment.js';

/** An answer as it came, and the parts of its envelope. */
export interface EdgeResponse {
  status: number;
  type: string;
  text: string;
  headers: Record<string, string | string[] | undefined>;
  /** Text of the session that the browser was given; undefined when it was given none. */
  session: string | undefined;
  // Tests reach into answers freely; their expectations are the type check.
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

/** Installations behind an edge access proxy, and the team that signs for all of them. */
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
    { isApart = false }: { isApart?: boolean } = {},
  ): Promise<string> {
    const auth = edgeAccess({ teamDomain: this.team.origin, audience: this.team.audience, ...options });
    return isApart
      ? this.testEnvironment.startApart({ site: { auth } })
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

  stopAllExcept(kept?: string): Promise<void> {
    return this.testEnvironment.stopAllExcept(kept);
  }

  async close(): Promise<void> {
    await this.testEnvironment.close();
    await this.team.close();
  }
}

/** A site behind an edge access proxy, as its visitors reach it. */
export class EdgeSite {
  constructor(
    private readonly testEnvironment: EdgeTestEnvironment,
    /** Where it is reached; another process of the same installation may be put in its place. */
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

  /** A new assertion for somebody. */
  assert(name: string, changes?: AssertionChanges): Promise<string> {
    return this.testEnvironment.team.assert(this.email(name), changes);
  }

  /** Visits by a new assertion. @returns who that is for the site. */
  async visit(name: string, claims: Record<string, unknown> = {}): Promise<EdgeResponse> {
    return this.get('/auth/me', { assertion: await this.assert(name, { claims }) });
  }

  /** The token of a user of this role, made on the command line. */
  token(role: string, name = role): Promise<string> {
    return this.testEnvironment.token(this.tenant, role, this.email(name));
  }

  get(path: string, sent?: EdgeRequest): Promise<EdgeResponse> {
    return this.send('GET', path, sent);
  }

  /** A write as our own pages send it. */
  post(path: string, { headers, ...sent }: EdgeRequest = {}): Promise<EdgeResponse> {
    return this.send('POST', path, { ...sent, headers: { 'x-cms-request': '1', ...headers } });
  }

  async send(
    method: string,
    path: string,
    { assertion, session, headers, body }: EdgeRequest = {},
  ): Promise<EdgeResponse> {
    const url = /^\/(?:_cms|\.well-known)\//.test(path) ? path : api + path;
    const answer = await send(this.origin + url, {
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
    const text = await answer.body.text();
    return {
      status: answer.statusCode,
      type: String(answer.headers['content-type'] ?? ''),
      text,
      headers: answer.headers,
      session: /(?:^|,)cms_session=([^;]*)/.exec(String(answer.headers['set-cookie'] ?? ''))?.[1],
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

/**
 * Asks until the answer is no longer this one: word of a change travels between processes.
 * @returns what it is then.
 */
export const waitForChange = <Value>(answer: Value, ask: () => Promise<Value>): Promise<Value> =>
  eventually(ask, (current) => current !== answer);
