import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { createClient, type Client } from './client.js';
import { createCollection, type CollectionInput, type TestCollection } from './collection.js';
import { readMail, type ReceivedMail } from './mail.js';
import { testSystem, type TestSystem } from './test-system.js';

/** In ascending order. */
export const testRoles = ['subscriber', 'contributor', 'author', 'editor', 'admin'] as const;
export type TestRole = (typeof testRoles)[number];

/** The tenant of one test file, with a client for each actor. */
export interface Site {
  tenant: string;
  /** The schema of its tables. */
  schema: string;
  host: string;
  system: TestSystem;
  /** The path at which the first user opens the setup of the site. */
  setupPath: string;
  /** The Cookie header of a browser that has opened it. */
  setupCookie: string;
  /** A client with a token of the role with every scope; the same user each time. */
  as(role: TestRole): Promise<Client>;
  /** A further user of a role. */
  another(role: TestRole, name: string): Promise<Client>;
  /** A client whose token has only these scopes. */
  withScopes(role: TestRole, scopes: string[]): Promise<Client>;
  withToken(token: string): Client;
  /** A client with the session of this cookie. */
  withSession(session: string): Client;
  /**
   * A client with a new session of the role's user, or of another user of that name: it sends X-CMS-Request too.
   * @param minutesAgo age of the sign-in
   */
  signedIn(role: TestRole, name?: string, minutesAgo?: number): Promise<Client>;
  /** A client without credentials. @param host another host of the site than the first */
  anonymous(host?: string): Client;
  /** Creates a collection; absent properties of the input have defaults. */
  collection(input?: CollectionInput): Promise<TestCollection>;
  /** Runs SQL in the tenant's schema, to check state that the API does not show. */
  sql<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Raises or lifts the write fence of a site import; the processes of the system apply it within a moment. */
  setWriteFence(isRaised: boolean): Promise<void>;
  /** The mails to an address, oldest first, once there are `count`; fewer if they do not arrive in time. */
  mailsTo(address: string, count?: number): Promise<ReceivedMail[]>;
  /** Closes its database connections. Later calls have no effect. */
  close(): Promise<void>;
}

/** The control server's response to the creation of a tenant. */
interface CreatedTenant {
  tenant: string;
  schema: string;
  host: string;
  setupLink: string;
}

export interface SiteOptions {
  /** Host names of the site, instead of a generated one. */
  hosts?: string[];
  /** Whether browsers resolve and trust its host: a name below localhost, with the port. Default: false. */
  forBrowsers?: boolean;
  /** Key of its database, in which `Site.sql` and `signedIn` do not work. Default: the system's own. */
  database?: string;
}

/**
 * Creates a tenant on the system under test, or on another system. Test files use `useSite`, which also closes it.
 */
export async function openSite(
  system: TestSystem = testSystem(),
  { hosts, forBrowsers = false, database }: SiteOptions = {},
): Promise<Site> {
  const domain = forBrowsers ? 'localhost' : 'example';
  const created = await control<CreatedTenant>(system, '/tenants', { hosts, domain, database });
  const { tenant, schema } = created;
  // A host of the installation belongs to `default` until the gateway has compared its registry, which it does when it
  // was compared longer ago than a tenth of a second.
  if (hosts) await wait(150);
  const setup = new URL(created.setupLink);
  const own = hosts?.[0] ?? created.host;
  const host = forBrowsers ? `${own}:${new URL(system.origin).port}` : own;
  const pool = new pg.Pool({
    connectionString: system.databaseUrl,
    max: 2,
    options: `-c search_path=${pg.escapeIdentifier(schema)} -c timezone=UTC`,
  });
  // An idle connection that a fault test closes emits an error; the next statement uses another connection.
  pool.on('error', () => undefined);
  let closed: Promise<void> | undefined;
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = (role: TestRole, name: string, scopes: string[]) => {
    const key = `${role}/${name}/${scopes.join()}`;
    let token = tokens.get(key);
    if (!token) {
      const email = `${name}@${tenant}.example`;
      token = control<{ token: string }>(system, '/tokens', { tenant, role, email, scopes }).then(
        (response) => response.token,
      );
      tokens.set(key, token);
    }
    return token;
  };
  const clientOf = async (role: TestRole, name: string, scopes: string[]) =>
    createClient(system, { host }, { token: await tokenOf(role, name, scopes) });
  return {
    tenant,
    schema,
    host,
    system,
    setupPath: setup.pathname + setup.search,
    setupCookie: `cms_setup_link=${setup.searchParams.get('token')}`,
    as: (role) => clientOf(role, role, ['admin']),
    another: (role, name) => clientOf(role, name, ['admin']),
    withScopes: (role, scopes) => clientOf(role, role, scopes),
    withToken: (token) => createClient(system, { host }, { token }),
    withSession: (session) => createClient(system, { host }, { session }),
    signedIn: async (role, name = role, minutesAgo = 0) => {
      const email = `${name}@${tenant}.example`;
      const opened = await control<{ session: string }>(system, '/sessions', { tenant, role, email });
      if (minutesAgo > 0)
        await pool.query(
          "UPDATE sessions SET authenticated_at = now() - $2 * interval '1 minute' WHERE token_hash = $1",
          [createHash('sha256').update(opened.session).digest('hex'), minutesAgo],
        );
      return createClient(system, { host }, { session: opened.session });
    },
    anonymous: (at = host) => createClient(system, { host: at }),
    collection: async (input = {}) => createCollection(await clientOf('admin', 'admin', ['admin']), input),
    sql: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
    setWriteFence: async (isRaised) => {
      await control(system, '/write-fence', { tenant, isRaised });
    },
    mailsTo: async (to, count = 1) => {
      const { mails } = await control<{ mails: string[] }>(system, '/mails', { to, count });
      return mails.map(readMail);
    },
    close: () => (closed ??= pool.end()),
  };
}

async function control<Result>(system: TestSystem, path: string, body: object): Promise<Result> {
  const response = await fetch(system.control + path, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok)
    throw new Error(`The test control server answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Result;
}
