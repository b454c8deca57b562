import { beforeAll, describe, expect, it } from '@jest/globals';
import { useEdgeTestEnvironment, type EdgeSite } from './support.js';

const testEnvironment = useEdgeTestEnvironment();
let site: EdgeSite;

beforeAll(async () => {
  site = await testEnvironment.site(await testEnvironment.start());
  await site.visit('first');
});

/** Creates an allowed domain with an assertion. @returns status and error code */
async function createDomain(claims: Record<string, unknown>, session?: string) {
  const assertion = await site.assert('first', { claims });
  const body = { domain: '-', defaultRole: 50 };
  const { status, error } = await site.post('/admin/allowed-domains', { assertion, session, body });
  return [status, error?.code];
}
const minutesAgo = (minutes: number) => Math.floor(Date.now() / 1000) - minutes * 60;

describe('recent sign-in behind an edge access proxy (decision 58)', () => {
  it('is the issue time of the assertion', async () => {
    expect(await createDomain({ iat: minutesAgo(9) })).toEqual([400, 'VALIDATION_ERROR']);
    expect(await createDomain({ iat: minutesAgo(11) })).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  });

  it('is missing when the assertion has no issue time', async () => {
    expect(await createDomain({ iat: undefined })).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  });

  it('is not the session opened by an old assertion', async () => {
    const assertion = await site.assert('first', { claims: { iat: minutesAgo(30) } });
    const { session } = await site.get('/auth/me', { assertion });
    expect(session).toBeDefined();
    expect(await createDomain({ iat: minutesAgo(30) }, session)).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  });
});
