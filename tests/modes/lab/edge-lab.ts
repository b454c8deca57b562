import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import {
  checkSiteConfig,
  edgeAccess,
  loadEnvironment,
  type EdgeAccessInput,
  type Environment,
} from '@quire/config';
import {
  Administration,
  Installation,
  startProcess,
  type RunningProcess,
  type Target,
} from '@quire/standalone';
import { eventually, AccessTeam, testStores, type AssertionChanges } from '@quire/testing';
import pg from 'pg';
import { request as send } from 'undici';

/** An answer as it came, and the parts of its envelope. */
export interface EdgeAnswer {
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

interface Sent {
  assertion?: string | undefined;
  session?: string | undefined;
  headers?: Record<string, string>;
  body?: unknown;
}

const api = '/_cms/api';
let count = 0;

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: testStores().databaseUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Installations behind an edge access proxy, on a database of their own, and the team that signs for all of them. */
export class EdgeLab {
  /** The last started first, since it may ask those before it. */
  private running: { origin: string; process: RunningProcess }[] = [];

  private constructor(
    readonly team: AccessTeam,
    readonly administration: Administration,
    private readonly installation: Installation,
    readonly environment: Environment,
    private readonly database: string,
  ) {}

  static async open(): Promise<EdgeLab> {
    const database = `edge_${randomBytes(6).toString('hex')}`;
    await onServer(`CREATE DATABASE ${database}`);
    const url = Object.assign(new URL(testStores().databaseUrl), { pathname: `/${database}` });
    const environment: Environment = {
      ...loadEnvironment(),
      DATABASE_URL: url.href,
      CMS_LOG_LEVEL: 'silent',
      CMS_INTERNAL_SECRET: randomBytes(32).toString('hex'),
    };
    const installation = new Installation(environment, { defaultLocale: 'en' }, ['tests']);
    const administration = new Administration(installation);
    await administration.migrate();
    // An only site would answer for every host.
    await administration.createTenant({ id: 'another', database: null }, ['another.example']);
    return new EdgeLab(await AccessTeam.open(), administration, installation, environment, database);
  }

  /** Starts an installation. @returns the origin of its gateway. */
  async start(
    options: Partial<EdgeAccessInput> = {},
    { isApart = false }: { isApart?: boolean } = {},
  ): Promise<string> {
    const auth = edgeAccess({ teamDomain: this.team.origin, audience: this.team.audience, ...options });
    const site = checkSiteConfig({ auth }, 'cms.config.mjs');
    const start = async (targets: Target[], changes: Partial<Environment> = {}) => {
      const environment = { ...this.environment, ...changes };
      const process = await startProcess({ targets, environment, site, port: 0 });
      const origin = `http://127.0.0.1:${process.port}`;
      this.running.unshift({ origin, process });
      return origin;
    };
    if (!isApart) return start(['gateway', 'auth', 'content', 'media', 'search']);
    // Auth asks content during the setup alone, which those who run apart leave out.
    const AUTH_URL = await start(['auth'], { CONTENT_URL: 'http://127.0.0.1:1' });
    const CONTENT_URL = await start(['content'], { AUTH_URL });
    const MEDIA_URL = await start(['media'], { CONTENT_URL });
    const SEARCH_URL = await start(['search'], { CONTENT_URL });
    return start(['gateway'], { AUTH_URL, CONTENT_URL, MEDIA_URL, SEARCH_URL });
  }

  /** A new site, without any user. */
  async site(origin: string): Promise<EdgeSite> {
    count += 1;
    const tenant = `e${count}-${randomBytes(3).toString('hex')}`;
    const host = `${tenant}.example`;
    await this.administration.createTenant({ id: tenant, database: null }, [host]);
    return new EdgeSite(this, origin, tenant, host);
  }

  /** Stops the installations that a test started, so that they do not use up the connections of the server. */
  async stopAllBut(kept?: string): Promise<void> {
    const stopped = this.running.filter(({ origin }) => origin !== kept);
    this.running = this.running.filter(({ origin }) => origin === kept);
    for (const { process } of stopped) await process.stop();
  }

  async close(): Promise<void> {
    await this.stopAllBut();
    await this.installation.lifecycle.stop();
    await this.team.close();
    await onServer(`DROP DATABASE ${this.database} WITH (FORCE)`);
  }
}

/** A site behind an edge access proxy, as its visitors reach it. */
export class EdgeSite {
  constructor(
    private readonly lab: EdgeLab,
    /** Where it is reached; another process of the same installation may be put in its place. */
    readonly origin: string,
    readonly tenant: string,
    readonly host: string,
  ) {}

  at(origin: string): EdgeSite {
    return new EdgeSite(this.lab, origin, this.tenant, this.host);
  }

  email(name: string): string {
    return `${name}@${this.host}`;
  }

  /** A new assertion for somebody. */
  assert(name: string, changes?: AssertionChanges): Promise<string> {
    return this.lab.team.assert(this.email(name), changes);
  }

  /** Visits by a new assertion. @returns who that is for the site. */
  async visit(name: string, claims: Record<string, unknown> = {}): Promise<EdgeAnswer> {
    return this.get('/auth/me', { assertion: await this.assert(name, { claims }) });
  }

  /** The token of a user of this role, made on the command line. */
  token(role: string, name = role): Promise<string> {
    return this.lab.administration.createToken({
      tenant: this.tenant,
      role,
      email: this.email(name),
      scopes: [],
    });
  }

  get(path: string, sent?: Sent): Promise<EdgeAnswer> {
    return this.send('GET', path, sent);
  }

  /** A write as our own pages send it. */
  post(path: string, { headers, ...sent }: Sent = {}): Promise<EdgeAnswer> {
    return this.send('POST', path, { ...sent, headers: { 'x-cms-request': '1', ...headers } });
  }

  async send(
    method: string,
    path: string,
    { assertion, session, headers, body }: Sent = {},
  ): Promise<EdgeAnswer> {
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

function parsed(text: string): Pick<EdgeAnswer, 'data' | 'error'> {
  try {
    const body = JSON.parse(text) as Pick<EdgeAnswer, 'data' | 'error'>;
    return { data: body.data ?? body, error: body.error };
  } catch {
    return { data: undefined, error: undefined };
  }
}

/** Asks until the answer is no longer this one: word of a change travels between processes. @returns what it is then. */
export const past = <Value>(answer: Value, ask: () => Promise<Value>): Promise<Value> =>
  eventually(ask, (current) => current !== answer);
