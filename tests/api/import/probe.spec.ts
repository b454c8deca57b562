import { describe, expect, it } from '@jest/globals';
import { describePermissions, issuePaths, statusAndCode, useSite } from '@quire/testing';

/**
 * A public address at a port that fetch never connects to (tcpmux): the built-in sources fail at once, and no request
 * leaves the machine.
 */
const unreachable = 'http://93.184.215.14:1';

const site = useSite();
const probe = async (body: unknown) => (await site.as('admin')).post('/import/probe', body);

describePermissions(
  () => site,
  [
    {
      permission: 'import:execute',
      minRole: 'admin',
      scopes: ['admin'],
      expectedStatus: 200,
      operations: { probeImportSource: (client) => client.post('/import/probe', { url: unreachable }) },
    },
  ],
);

describe('POST /import/probe (document 3, Endpoints)', () => {
  it('requires X-CMS-Request from a session', async () => {
    const admin = await site.signedIn('admin');
    const headers = { 'x-cms-request': undefined };
    const response = await admin.post('/import/probe', { url: unreachable }, { headers });
    expect(statusAndCode(response)).toEqual([403, 'CSRF_REJECTED']);
  });

  it('suggests an upload for a site that no source recognises', async () => {
    const response = await probe({ url: ` ${unreachable}/blog/wp-json/ ` });
    expect(response.status).toBe(200);
    expect(response.data).toEqual({
      success: true,
      result: {
        url: `${unreachable}/blog`,
        isLegacy: false,
        isLegacyPlatform: false,
        bestMatch: null,
        allMatches: [],
        suggestedAction: { type: 'upload', instructions: expect.stringContaining('export file') },
      },
    });
  });

  it('returns matches by confidence and registration, with texts of the site as plain text', async () => {
    const { result } = (await probe({ url: `${unreachable}/hostile` })).data;
    expect(result.allMatches.map(({ sourceId }: { sourceId: string }) => sourceId)).toEqual([
      'test-1',
      'test-2',
      'test-0',
    ]);
    expect(result.bestMatch).toEqual(result.allMatches[0]);
    expect(result.bestMatch.detected).toEqual({ platform: 'test', siteTitle: 'Fish & chips' });
    expect(result.suggestedAction).toEqual({
      type: 'oauth',
      url: `http://${site.host}/oauth`,
      provider: 'test',
    });
    expect([result.isLegacy, result.isLegacyPlatform]).toEqual([false, false]);
  });

  it('passes over a source that fails', async () => {
    const response = await probe({ url: `${unreachable}/broken` });
    const { allMatches } = response.data.result;
    expect(allMatches.map(({ sourceId }: { sourceId: string }) => sourceId)).toEqual(['test-1', 'test-0']);
    expect(JSON.stringify(response.body)).not.toContain('secret');
  });

  it.each([
    'localhost',
    'http://127.0.0.1',
    'http://[::1]',
    'http://[::ffff:10.0.0.1]',
    'http://10.0.0.1',
    'http://192.168.1.1:8080',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1',
    'http://0.0.0.0',
    'http://0177.0.0.1',
    'http://2130706433',
    'https://missing.invalid',
  ])('returns 400 SSRF_BLOCKED for %s', async (url) => {
    expect(statusAndCode(await probe({ url }))).toEqual([400, 'SSRF_BLOCKED']);
  });

  it.each<[string, unknown]>([
    ['no url', {}],
    ['a number', { url: 5 }],
    ['an empty text', { url: ' ' }],
    ['another scheme', { url: 'ftp://blog.example' }],
    ['a script', { url: 'javascript:alert(1)' }],
    ['a password', { url: 'https://ann:secret@blog.example' }],
    ['a text', { url: 'not a url' }],
    ['a long text', { url: `https://blog.example/${'x'.repeat(3000)}` }],
  ])('returns 400 VALIDATION_ERROR that names url for %s', async (_, body) => {
    const response = await probe(body);
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', 'url']);
  });

  it('is not in the OpenAPI document', async () => {
    const document = (await site.anonymous().get('/openapi.json')).body as { paths: Record<string, unknown> };
    expect(Object.keys(document.paths).filter((path) => path.startsWith('/_cms/api/import'))).toEqual([]);
  });
});
