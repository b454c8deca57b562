import { beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, statusAndCode, useSite, type Client, type Site } from '@quire/testing';

const site = useSite();
let contributor: Client;

const users = [
  ['u1', 'Ann Author', 30],
  ['u2', 'Bea 50%_Off', 20],
  ['u3', 'Bert 50 Off', 40],
  ['u4', 'Cleo Disabled', 50, true],
  ['u5', 'Dan Subscriber', 10],
  ['u6', null, 20],
  ['u7', 'Ann Author', 50],
] as const;

const insertUsers = async (target: Site) => {
  for (const [id, name, role, disabled = false] of users)
    await target.sql(
      'INSERT INTO users (id, email, name, role, disabled, avatar_url) VALUES ($1, $2, $3, $4, $5, $6)',
      [id, `${id}@hidden.example`, name, role, disabled, id === 'u1' ? 'https://site.example/ann.png' : null],
    );
};

beforeAll(async () => {
  contributor = await site.as('contributor');
  await insertUsers(site);
});

interface Person {
  id: string;
  name: string | null;
}
const people = async (query = '', client = contributor): Promise<Person[]> =>
  (await client.get(`/panel/people${query}`)).data.items;
const idsOf = async (query = '', client = contributor) => (await people(query, client)).map(({ id }) => id);
const outcomeOf = async (query: string, client = contributor) =>
  statusAndCode(await client.get(`/panel/people${query}`));

describe('GET /panel/people?q', () => {
  it('returns users by a part of their name, without their address', async () => {
    expect(await people('?q=ann')).toEqual([
      { id: 'u1', name: 'Ann Author', avatarUrl: 'https://site.example/ann.png', isDisabled: false },
      { id: 'u7', name: 'Ann Author', avatarUrl: null, isDisabled: false },
    ]);
  });

  it.each([
    ['part of a name, ignoring case', 'q=AUTH', ['u1', 'u7']],
    ['text with blanks around it', 'q=%20off%20', ['u2', 'u3']],
    ['literal % and _', 'q=50%25_', ['u2']],
    ['% and _ without wildcards', 'q=5%25f', []],
    ['a backslash', 'q=%5C', []],
    ['an address', 'q=hidden', []],
    ['the name of a disabled user', 'q=cleo', []],
    ['the name of a subscriber', 'q=dan', []],
  ])('searches for %s', async (_, query, expected) => {
    expect(await idsOf(`?${query}`)).toEqual(expected);
  });

  it.each(['', '?q=', '?q=%20'])(
    'returns the first users by name then id for "%s", unnamed ones last',
    async (query) => {
      const found = await people(query);
      expect(found.slice(0, 4).map(({ id }) => id)).toEqual(['u1', 'u7', 'u2', 'u3']);
      const unnamed = found.slice(4);
      expect(unnamed.map(({ id }) => id)).toContain('u6');
      expect(unnamed.every(({ name }) => name === null)).toBe(true);
    },
  );

  it('returns at most `limit` users, 20 by default', async () => {
    expect(await idsOf('?limit=1')).toEqual(['u1']);
    expect(await idsOf('?q=be&limit=1')).toEqual(['u2']);
    await site.sql(
      `INSERT INTO users (id, email, name, role)
       SELECT 'many' || n, 'many' || n || '@hidden.example', 'Many', 30 FROM generate_series(1, 101) n`,
    );
    expect(await people('?q=many')).toHaveLength(20);
    expect(await people('?q=many&limit=100')).toHaveLength(100);
    await site.sql("DELETE FROM users WHERE id LIKE 'many%'");
  });
});

describe('GET /panel/people?ids', () => {
  it('returns these users by name, also disabled, unnamed and subscribed ones, without unknown ids', async () => {
    const person = { avatarUrl: null, isDisabled: false };
    expect(await people('?ids=u6,u5,unknown,u4,u5&limit=1')).toEqual([
      { ...person, id: 'u4', name: 'Cleo Disabled', isDisabled: true },
      { ...person, id: 'u5', name: 'Dan Subscriber' },
      { ...person, id: 'u6', name: null },
    ]);
  });

  it('accepts up to 100 ids', async () => {
    const list = (count: number) => ['u1', ...Array.from({ length: count - 1 }, (_, n) => `x${n}`)].join();
    expect(await idsOf(`?ids=${list(100)}`)).toEqual(['u1']);
    expect(await outcomeOf(`?ids=${list(101)}`)).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('GET /panel/people', () => {
  it.each([
    ['q=ann&ids=u1', 'ids'],
    ['q=&ids=u1', 'ids'],
    ['ids=', 'ids'],
    ['ids=,', 'ids'],
    ['ids=u1,%00', 'ids'],
    [`ids=u1,${'x'.repeat(65)}`, 'ids'],
    ['q=%00', 'q'],
    [`q=${'x'.repeat(201)}`, 'q'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
  ])('returns 400 VALIDATION_ERROR for %s, with the name of the parameter', async (query, field) => {
    const response = await contributor.get(`/panel/people?${query}`);
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(response.error.message).toMatch(new RegExp(`^${field}\\b`));
  });

  it('needs the permission to read drafts, and for tokens the scope admin', async () => {
    const session = await site.signedIn('contributor');
    expect(await idsOf('?ids=u1', session)).toEqual(['u1']);
    expect(await outcomeOf('', await site.as('subscriber'))).toEqual([403, 'FORBIDDEN']);
    const narrow = await site.withScopes('admin', ['content:read']);
    expect(await outcomeOf('', narrow)).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(await outcomeOf('', site.anonymous())).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('returns no users of another site', async () => {
    const other = await openSite();
    try {
      const admin = await other.as('admin');
      expect(await idsOf('?q=ann', admin)).toEqual([]);
      expect(await idsOf('?ids=u1,u4', admin)).toEqual([]);
      expect(await people('', admin)).toHaveLength(1);
    } finally {
      await other.close();
    }
  });
});
