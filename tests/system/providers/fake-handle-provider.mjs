/** A login provider as another package would define it: accounts have a handle and no address. */
import { LoginProviderError } from '@quire/login-providers';

export function fakeHandleProvider() {
  return {
    id: 'handle',
    label: 'Handle',
    form: { field: { name: 'handle', label: 'Your handle', placeholder: 'ann.example' } },
    setup: true,
    storage: { logins: { lifetimeSeconds: 600 }, notes: { lifetimeSeconds: 60 } },
    publicPrefixes: ['client-metadata.json', 'open/'],
    routes: [
      {
        method: 'GET',
        path: 'client-metadata.json',
        handle: ({ routesUrl, callbackUrl }) => ({
          status: 200,
          headers: { 'cache-control': 'public, max-age=60' },
          body: { client_id: `${routesUrl}/client-metadata.json`, redirect_uris: [callbackUrl] },
        }),
      },
      {
        method: 'POST',
        path: 'open/notes',
        handle: async ({ storage }, { query, body }) => {
          const notes = storage('notes');
          if (query.take) return { status: 200, body: { taken: (await notes.take(query.key)) ?? null } };
          const before = (await notes.get(query.key)) ?? null;
          await notes.set(query.key, body);
          return { status: 201, body: { before } };
        },
      },
      {
        method: 'GET',
        path: 'inner',
        handle: () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'inside' }),
      },
      {
        method: 'GET',
        path: 'open/broken',
        handle: () => {
          throw new Error('secret-of-the-provider');
        },
      },
    ],
    begin: async ({ storage }, { query, state }) => {
      if (!query.handle) throw new LoginProviderError('oauth_error', 'Say your handle');
      if (query.handle === 'broken') throw new Error('secret-of-the-provider');
      await storage('logins').set(state, { handle: query.handle });
      return { url: `https://handles.example/authorize?state=${state}` };
    },
    complete: async ({ storage }, { state }) => {
      const login = await storage('logins').take(state);
      return { accountId: `did:example:${login.handle}`, email: null, name: login.handle };
    },
  };
}
