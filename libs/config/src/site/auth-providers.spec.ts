import { describe, expect, it } from '@jest/globals';
import { github, google } from '@quire/login-providers';
import { checkSiteConfig } from './site-config.js';

const check = (authProviders: unknown) => checkSiteConfig({ authProviders }, 'f');

/** A descriptor with changes. */
const changed = (change: object) => [{ ...google(), ...change }];

describe('authProviders', () => {
  it('are returned unchanged, in their order', () => {
    const list = [google(), github()];
    const { authProviders } = check(list);
    expect(authProviders?.map(({ id }) => id)).toEqual(['google', 'github']);
    expect(authProviders?.[0]).toBe(list[0]);
  });

  it('may be empty', () => {
    expect(check([]).authProviders).toEqual([]);
    expect(checkSiteConfig({}, 'f').authProviders).toBeUndefined();
  });

  it.each([
    ['a value that is no list', {}, /^f: authProviders: .*array/],
    ['a function instead of its result', [google], /^f: authProviders\.0: .*object/],
    [
      'two with one id',
      [google(), google()],
      'f: authProviders.1.id: "google" is the id of another provider',
    ],
    [
      'an id that is invalid in addresses',
      changed({ id: 'My House' }),
      /^f: authProviders\.0\.id: must be lower-case/,
    ],
    ['a missing label', changed({ label: undefined }), /^f: authProviders\.0\.label: /],
    ['a missing function', changed({ begin: undefined }), 'f: authProviders.0.begin: must be a function'],
    ['an unknown key', changed({ enviroment: [] }), /^f: authProviders\.0: .*enviroment/],
    [
      'a reserved field name',
      changed({ form: { field: { name: 'redirect', label: 'Where' } } }),
      /^f: authProviders\.0\.form\.field\.name: must be none of/,
    ],
    [
      'a route at the path of the callback',
      changed({ routes: [{ method: 'GET', path: 'callback', handle: () => ({ status: 200 }) }] }),
      /^f: authProviders\.0\.routes\.0\.path: is where the browser comes back/,
    ],
    [
      'a route outside the path of the provider',
      changed({ routes: [{ method: 'GET', path: '../github', handle: () => ({ status: 200 }) }] }),
      /^f: authProviders\.0\.routes\.0\.path: must not climb up/,
    ],
    [
      'a duplicate route',
      changed({
        routes: Array(2).fill({ method: 'GET', path: 'keys.json', handle: () => ({ status: 200 }) }),
      }),
      'f: authProviders.0.routes.1: is there twice',
    ],
    [
      'a storage collection without a lifetime',
      changed({ storage: { states: {} } }),
      /^f: authProviders\.0\.storage\.states\.lifetimeSeconds: /,
    ],
  ])('are rejected for %s, with its path', (_case, list, message) => {
    expect(() => check(list)).toThrow(message);
  });

  it('are rejected with one line per mistake', () => {
    expect(() => check(changed({ id: '', begin: 1 }))).toThrow(
      /^f: authProviders\.0\.id: .*\nf: authProviders\.0\.begin: [^\n]*$/,
    );
  });

  it('exclude an edge access proxy', () => {
    expect(() => checkSiteConfig({ auth: {}, authProviders: [] }, 'f')).toThrow(
      'f: authProviders: cannot be used together with auth; remove one',
    );
  });
});
