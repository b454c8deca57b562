import { describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import type { InternalApiClient } from '@quire/service-client';
import { ContentReferencesClient } from './content-references.client.js';

const siteContext = (id: string) => ({ principal: { tenant: { id } } }) as Context;

/** A client whose requests to content are recorded, each as the site, the collection and the ids. */
function recordingClient() {
  const requests: [string, string, string[]][] = [];
  const content = {
    call: async (_: unknown, ctx: Context, { collection, ids }: { collection: string; ids: string[] }) => {
      requests.push([ctx.principal.tenant.id, collection, ids]);
      await new Promise((done) => setImmediate(done));
      return { collection: { id: collection, slug: collection, shape: 'a' }, entries: [], next: null };
    },
  } as unknown as InternalApiClient;
  return { client: new ContentReferencesClient(content), requests };
}

describe('the references of single entries', () => {
  it('are read together while a request for the collection is running', async () => {
    const { client, requests } = recordingClient();
    const ctx = siteContext('site');
    await Promise.all(['1', '2', '3'].map((id) => client.referencesOf(ctx, 'posts', id)));
    await client.referencesOf(ctx, 'posts', '1');
    expect(requests).toEqual([
      ['site', 'posts', ['1', '2', '3']],
      ['site', 'posts', ['1']],
    ]);
  });

  it('are read separately for each site and collection', async () => {
    const { client, requests } = recordingClient();
    await Promise.all([
      client.referencesOf(siteContext('one'), 'posts', '1'),
      client.referencesOf(siteContext('two'), 'posts', '1'),
      client.referencesOf(siteContext('one'), 'pages', '1'),
    ]);
    expect(requests).toEqual([
      ['one', 'posts', ['1']],
      ['two', 'posts', ['1']],
      ['one', 'pages', ['1']],
    ]);
  });
});
