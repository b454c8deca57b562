import { describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { InternalApiClient } from '@quire/service-client';
import { MediaClient } from './media.client.js';

const contextOf = (tenantId: string) => ({ principal: { tenant: { id: tenantId } } }) as unknown as Context;
const ctx = contextOf('a');

/** A client of a media service that has every file, the ids that it has requested, and the service's state. */
function openClient() {
  const requests: (readonly string[] | 'count')[] = [];
  const service = { isAvailable: true, version: 1, onRequest: () => undefined as void };
  const call = async (
    _operation: unknown,
    _ctx: unknown,
    request: { ids: readonly string[] } | undefined,
  ) => {
    requests.push(request?.ids ?? 'count');
    const { version } = service;
    await Promise.resolve();
    service.onRequest();
    if (!service.isAvailable) throw new QuireError('SERVICE_UNAVAILABLE', 'unavailable');
    return request
      ? { items: request.ids.map((id) => ({ id, storageKey: `${id}-${version}` })) }
      : { count: version };
  };
  const client = new MediaClient({ call } as unknown as InternalApiClient);
  const keysOf = async (ids: readonly string[]) =>
    [...(await client.byIdsOrEmpty(ctx, ids)).values()].map(({ storageKey }) => storageKey);
  return { client, requests, service, keysOf };
}

describe('MediaClient.byIdsOrEmpty', () => {
  it('requests only files that are not cached', async () => {
    const { client, requests, keysOf } = openClient();
    await keysOf(['1', '2']);
    expect(await keysOf(['2', '3'])).toEqual(['2-1', '3-1']);
    await client.byIdsOrEmpty(contextOf('b'), ['2']);
    expect(requests).toEqual([['1', '2'], ['3'], ['2']]);
  });

  it('requests an invalidated file again', async () => {
    const { client, requests, service, keysOf } = openClient();
    await keysOf(['1', '2']);
    service.version = 2;
    client.invalidate('b', '1');
    client.invalidate('a', '1');
    expect(await keysOf(['1', '2'])).toEqual(['2-1', '1-2']);
    expect(requests).toEqual([['1', '2'], ['1']]);
  });

  it('does not cache files of a request that an invalidation overtakes', async () => {
    const { client, service, keysOf } = openClient();
    service.onRequest = () => {
      service.version = 2;
      client.invalidate('a', '1');
    };
    expect(await keysOf(['1'])).toEqual(['1-1']);
    service.onRequest = () => undefined;
    expect(await keysOf(['1'])).toEqual(['1-2']);
  });

  it('returns cached files while the media service is unavailable', async () => {
    const { client, service, keysOf } = openClient();
    await keysOf(['1']);
    await client.state(ctx);
    service.isAvailable = false;
    expect(await keysOf(['1', '2'])).toEqual(['1-1']);
    expect(await client.state(ctx)).toBeNull();
  });
});

describe('MediaClient.state', () => {
  it('requests the number of changes once until it is invalidated', async () => {
    const { client, requests, service } = openClient();
    expect(await Promise.all([client.state(ctx), client.state(ctx)])).toEqual([1, 1]);
    service.version = 2;
    expect(await client.state(ctx)).toBe(1);
    client.invalidate('a', '1');
    expect(await client.state(ctx)).toBe(2);
    expect(requests).toEqual(['count', 'count']);
  });

  it('does not cache a number of a request that an invalidation overtakes', async () => {
    const { client, service } = openClient();
    const overtaken = client.state(ctx);
    client.invalidate('a', '1');
    service.version = 2;
    expect(await overtaken).toBe(1);
    expect(await client.state(ctx)).toBe(2);
  });
});
