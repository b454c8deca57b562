import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  describePermissions,
  issuePaths,
  openSite,
  statusAndCode,
  useSite,
  type ApiResponse,
  type Client,
  type Site,
} from '@quire/testing';
import { sendForm } from './support.js';

// The system under test has no OAuth application at the hosted edition: services/standalone/src/hosted-import.spec.ts
// connects sites.
const site = useSite();
const path = '/import/connections';
const callbackPath = '/import/sources/legacy-com/callback';
const unknown = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

describePermissions(
  () => site,
  [
    {
      permission: 'import:execute',
      minRole: 'admin',
      scopes: ['admin'],
      expectedStatus: 200,
      operations: { listImportConnections: (client) => client.get(path) },
    },
    {
      permission: 'import:execute',
      minRole: 'admin',
      scopes: ['admin'],
      expectedStatus: 404,
      operations: { deleteImportConnection: (client) => client.delete(`${path}/${unknown}`) },
    },
    {
      permission: 'import:execute',
      minRole: 'admin',
      scopes: ['admin'],
      expectedStatus: 302,
      operations: { completeAuthorization: (client) => client.get(`${callbackPath}?state=x&code=y`) },
    },
  ],
);

const userIdOf = async (client: Client): Promise<string> => (await client.get('/auth/me')).data.id;

/** Stores a connection of a user, as the callback does. @returns its id */
async function storeConnection(of: Site, userId: string, id: string): Promise<string> {
  await of.sql(
    `INSERT INTO import_connections (id, user_id, source, site_id, site_url, sealed_access_token)
     VALUES ($1, $2, 'legacy-com', $1, 'https://ann.wordpress.com', 'sealed')`,
    [id, userId],
  );
  return id;
}

/** Stores an authorization request of a user, as a probe does. */
const storeRequest = (of: Site, userId: string, state: string) =>
  of.sql(
    `INSERT INTO import_authorization_requests
       (state_hash, user_id, site_url, redirect_uri, code_verifier, expires_at)
     VALUES ($1, $2, 'https://ann.wordpress.com', 'https://quire.example', 'v', now() + interval '10 minutes')`,
    [createHash('sha256').update(state).digest('hex'), userId],
  );
const pendingRequests = async (of: Site) =>
  (await of.sql('SELECT 1 FROM import_authorization_requests')).length;

/** The error code of a redirect to the import panel. */
const errorOf = ({ headers }: ApiResponse) => {
  const { pathname, searchParams } = new URL(headers.get('location') ?? '', 'http://site.example');
  return pathname === '/_cms/admin/import' ? searchParams.get('error') : pathname;
};

describe('GET /import/sources/legacy-com/callback', () => {
  it('accepts a navigation from another site, and consumes the request', async () => {
    const admin = await site.signedIn('admin');
    await storeRequest(site, await userIdOf(admin), 'first');
    const headers = {
      'x-cms-request': undefined,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
    };
    const response = await admin.get(`${callbackPath}?state=first&error=access_denied`, { headers });
    expect([response.status, errorOf(response)]).toEqual([302, 'oauth_denied']);
    expect(await pendingRequests(site)).toBe(0);
  });

  it('keeps the request of another user', async () => {
    const other = await userIdOf(await site.another('admin', 'other'));
    await storeRequest(site, other, 'second');
    const response = await (await site.as('admin')).get(`${callbackPath}?state=second&code=y`);
    expect(errorOf(response)).toBe('invalid_state');
    expect(await pendingRequests(site)).toBe(1);
  });

  it('rejects the request of another site', async () => {
    const other = await openSite();
    try {
      await storeRequest(other, await userIdOf(await site.as('admin')), 'third');
      const response = await (await site.as('admin')).get(`${callbackPath}?state=third&code=y`);
      expect(errorOf(response)).toBe('invalid_state');
      expect(await pendingRequests(other)).toBe(1);
    } finally {
      await other.close();
    }
  });

  it('reports an installation without an OAuth application', async () => {
    const admin = await site.as('admin');
    await storeRequest(site, await userIdOf(admin), 'fourth');
    expect(errorOf(await admin.get(`${callbackPath}?state=fourth&code=y`))).toBe('not_configured');
  });

  it('returns 400 VALIDATION_ERROR for an excessive code', async () => {
    const response = await (await site.as('admin')).get(`${callbackPath}?state=x&code=${'y'.repeat(8001)}`);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', 'code']);
  });
});

describe('connections', () => {
  let own: string;
  beforeAll(async () => {
    own = await storeConnection(site, await userIdOf(await site.as('admin')), '01K0000000000000000000000A');
    const other = await userIdOf(await site.another('admin', 'other'));
    await storeConnection(site, other, '01K0000000000000000000000B');
  });

  it('are listed for their user, without the access token', async () => {
    expect((await (await site.as('admin')).get(path)).data).toEqual({
      items: [
        {
          id: own,
          source: 'legacy-com',
          siteId: own,
          siteUrl: 'https://ann.wordpress.com',
          createdAt: expect.any(String),
        },
      ],
    });
  });

  it('of another site are not listed, used or deleted', async () => {
    const other = await openSite();
    try {
      const admin = await other.as('admin');
      const foreign = await storeConnection(other, await userIdOf(await site.as('admin')), unknown);
      expect((await admin.get(path)).data.items).toEqual([]);
      const client = await site.as('admin');
      expect((await client.get(path)).data.items).toHaveLength(1);
      expect(statusAndCode(await client.delete(`${path}/${foreign}`))).toEqual([404, 'NOT_FOUND']);
      expect(statusAndCode(await analyze(client, { type: 'oauth', connection: foreign }))).toEqual([
        404,
        'NOT_FOUND',
      ]);
    } finally {
      await other.close();
    }
  });

  it('whose token cannot be decrypted have to be connected again', async () => {
    const response = await analyze(await site.as('admin'), { type: 'oauth', connection: own });
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([
      400,
      'VALIDATION_ERROR',
      'input.connection',
    ]);
    expect(response.text).toContain('connect the site again');
  });

  it('are deleted only with X-CMS-Request by a session', async () => {
    const session = await site.signedIn('admin');
    const response = await session.delete(`${path}/${own}`, undefined, {
      headers: { 'x-cms-request': undefined },
    });
    expect(statusAndCode(response)).toEqual([403, 'CSRF_REJECTED']);
    expect((await session.delete(`${path}/${own}`)).data).toEqual({ deleted: true });
    expect((await session.get(path)).data.items).toEqual([]);
  });
});

const analyze = (client: Client, input: unknown, source = 'legacy-com') =>
  sendForm(client, `/import/sources/${source}/analyze`, [{ name: 'input', value: JSON.stringify(input) }]);

describe('input of POST /import/sources/{id}/analyze', () => {
  const url = 'https://ann.wordpress.com';

  it.each<[string, unknown, string[]]>([
    ['an access token without a site', { type: 'oauth', accessToken: 'x' }, ['input.url']],
    ['a site without an access token', { type: 'oauth', url }, ['input.accessToken']],
    ['an access token with a line feed', { type: 'oauth', url, accessToken: 'a\nb' }, ['input.accessToken']],
    ['an empty site id', { type: 'oauth', url, accessToken: 'x', siteId: '' }, ['input.siteId']],
    ['another scheme', { type: 'oauth', url: 'ftp://a.example', accessToken: 'x' }, ['input.url']],
    ['a connection that is no id', { type: 'oauth', connection: 5 }, ['input.connection']],
    ['a connection of another type', { type: 'url', connection: unknown }, ['input.type']],
    ['an unknown type', { type: 'ftp', url }, ['input.type']],
    ['no object', [], ['input']],
    ['null', null, ['input']],
  ])('returns 400 VALIDATION_ERROR for %s', async (_, input, paths) => {
    const response = await analyze(await site.as('admin'), input);
    expect([statusAndCode(response), issuePaths(response)]).toEqual([[400, 'VALIDATION_ERROR'], paths]);
  });

  it('returns 404 for an unknown connection', async () => {
    const response = await analyze(await site.as('admin'), { type: 'oauth', connection: unknown });
    expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
  });

  it('asks for a connection when the input is only an address', async () => {
    for (const input of [{ url }, { type: 'url', url }]) {
      const response = await analyze(await site.as('admin'), input);
      expect([statusAndCode(response)[1], response.text]).toEqual([
        'IMPORT_ERROR',
        expect.stringContaining('Connect the site'),
      ]);
    }
  });
});
