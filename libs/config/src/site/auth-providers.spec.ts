import { describe, expect, it } from '@jest/globals';
import { github, google } from '@quire/login-providers';
import { checkSiteConfig } from './site-config.js';

const check = (authProviders: unknown) => checkSiteConfig({ authProviders }, 'f');

/** A descriptor with something changed. */
const changed = (change: object) => [{ ...google(), ...change }];

describe('authProviders', () => {
  it('are handed on as they are, in their order', () => {
    const list = [google(), github()];
    const { authProviders } = check(list);
    expect(authProviders?.map(({ id }) => id)).toEqual(['google', 'github']);
    expect(authProviders?.[0]).toBe(list[0]);
  });

  it('may be none at all', () => {
    expect(check([]).authProviders).toEqual([]);
    expect(checkSiteConfig({}, 'f').authProviders).toBeUndefined();
  });

  it.each([
    ['what is no list', {}, /^f: authProviders: .*array/],
    ['a function that was not called', [google], /^f: authProviders\.0: .*object/],
    [
      'two with one id',
      [google(), google()],
      'f: authProviders.1.id: "google" is the id of another provider',
    ],
    ['an id for no address', changed({ id: 'My House' }), /^f: authProviders\.0\.id: must be lower-case/],
    ['a lacking label', changed({ label: undefined }), /^f: authProviders\.0\.label: /],
    ['a lacking function', changed({ begin: undefined }), 'f: authProviders.0.begin: must be a function'],
    ['a name that nobody knows', changed({ enviroment: [] }), /^f: authProviders\.0: .*enviroment/],
    [
      'a field of the form that has another meaning',
      changed({ form: { field: { name: 'redirect', label: 'Where' } } }),
      /^f: authProviders\.0\.form\.field\.name: must be none of/,
    ],
    [
      'a route at the callback',
      changed({ routes: [{ method: 'GET', path: 'callback', handle: () => ({ status: 200 }) }] }),
      /^f: authProviders\.0\.routes\.0\.path: is where the browser comes back/,
    ],
    [
      'a route that climbs up',
      changed({ routes: [{ method: 'GET', path: '../github', handle: () => ({ status: 200 }) }] }),
      /^f: authProviders\.0\.routes\.0\.path: must not climb up/,
    ],
    [
      'a route that is there twice',
      changed({
        routes: Array(2).fill({ method: 'GET', path: 'keys.json', handle: () => ({ status: 200 }) }),
      }),
      'f: authProviders.0.routes.1: is there twice',
    ],
    [
      'a collection without an end',
      changed({ storage: { states: {} } }),
      /^f: authProviders\.0\.storage\.states\.lifetimeSeconds: /,
    ],
  ])('are refused for %s, naming the place', (_case, list, message) => {
    expect(() => check(list)).toThrow(message);
  });

  it('tell each mistake on a line of its own', () => {
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
