import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { Locales } from '../../locales/index.js';
import { contentTables } from '../../migrations/index.js';
import { bylineSlug } from './byline-slugs.js';
import { importBylines } from './index.js';

const locales = new Locales({ defaultLocale: 'en' });
let content: ServiceTenant;

beforeAll(async () => {
  content = await openServiceTenant('spec-of-import-bylines', 'content', contentTables, contentEntities);
});
afterAll(() => content.close());
beforeEach(async () => {
  await content.ctx.db.query('DELETE FROM bylines');
  await content.ctx.db.query('DELETE FROM byline_groups');
  await content.ctx.db.query('DELETE FROM import_records');
});

interface Given {
  importId?: string;
  site?: string;
  locale?: string;
}
/** Authors as "login" or "login=user". @returns the ids of their bylines in order. */
async function run(authors: string[], { importId = 'i1', site = 'a.example', locale = 'en' }: Given = {}) {
  const { bylines } = await importBylines(content.ctx, locales, {
    importId,
    site,
    locale,
    authors: authors.map((author) => {
      const [login = '', userId = null] = author.split('=');
      return { login, displayName: `Name of ${login}`, userId };
    }),
  });
  expect(bylines.map(({ login }) => login)).toEqual(authors.map((author) => author.split('=')[0]));
  return bylines.map(({ bylineId }) => bylineId);
}
const stored = () =>
  content.ctx.db.query<{ id: string; slug: string; userId: string | null; isGuest: boolean; name: string }>(
    `SELECT id, slug, user_id AS "userId", is_guest AS "isGuest", display_name AS name FROM bylines ORDER BY slug`,
  );
const records = () =>
  content.ctx.db.query<{ id: string }>(
    `SELECT source_type || ' ' || source_id AS source, kind, target_id AS id, import_id AS "importId"
     FROM import_records ORDER BY 1`,
  );

describe('importBylines (document 3, rule 5; contract 2.5)', () => {
  it('creates a guest byline for an author without a user, and records it', async () => {
    const [id] = await run(['Jane Doe']);
    expect(await stored()).toEqual([
      { id, slug: 'jane-doe', userId: null, isGuest: true, name: 'Name of Jane Doe' },
    ]);
    expect(await records()).toEqual([{ source: 'author Jane Doe', kind: 'byline', id, importId: 'i1' }]);
  });

  it('finds a guest byline again by login, also under another name and slug', async () => {
    const ids = await run(['jane']);
    await content.ctx.db.query(`UPDATE bylines SET display_name = 'Renamed', slug = 'renamed'`);
    expect(await run(['jane'], { importId: 'i2' })).toEqual(ids);
    expect(await stored()).toMatchObject([{ name: 'Renamed' }]);
    expect(await records()).toMatchObject([{ importId: 'i1' }]);
  });

  it('creates a byline again that was deleted', async () => {
    const [former] = await run(['jane']);
    await content.ctx.db.query('DELETE FROM bylines');
    const [id] = await run(['jane'], { importId: 'i2' });
    expect(id).not.toBe(former);
    expect(await records()).toMatchObject([{ id, importId: 'i2' }]);
  });

  it('does not reuse a byline of the same name, nor one of another source site', async () => {
    const [first] = await run(['jane']);
    const [second] = await run(['jane'], { site: 'b.example' });
    expect(second).not.toBe(first);
    expect((await stored()).map(({ slug }) => slug)).toEqual(['jane', 'jane-2']);
  });

  it('gives logins with one slug distinct suffixes, also in one call', async () => {
    await run(['jane doe', 'Jane.Doe', 'JANE-DOE', '日本', '>name']);
    expect((await stored()).map(({ slug }) => slug)).toEqual([
      'author',
      'jane-doe',
      'jane-doe-2',
      'jane-doe-3',
      'name',
    ]);
  });

  it('creates one byline of a user, for all logins that are mapped to the user', async () => {
    const ids = await run(['jane=u1', 'jd=u1', 'guest']);
    expect(ids[0]).toBe(ids[1]);
    expect(await stored()).toMatchObject([
      { slug: 'guest', userId: null, isGuest: true },
      { slug: 'jane', userId: 'u1', isGuest: false },
    ]);
    expect(await run(['other=u1'], { importId: 'i2', site: 'b.example' })).toEqual([ids[0]]);
  });

  it('reuses a byline that the user has, in the locale before the default one, without a record', async () => {
    const [inDefault] = await run(['jane=u1']);
    await content.ctx.db.query('DELETE FROM import_records');
    expect(await run(['x=u1'], { locale: 'de' })).toEqual([inDefault]);
    await content.ctx.db.query(
      `INSERT INTO byline_groups VALUES ('g', '{}');
       INSERT INTO bylines (id, slug, display_name, user_id, is_guest, locale, translation_group, custom_fields)
       VALUES ('g', 'jane', 'Jane', 'u1', false, 'de', 'g', '{}')`,
    );
    expect(await run(['x=u1'], { locale: 'de' })).toEqual(['g']);
    expect(await records()).toEqual([]);
  });

  it('returns one byline for a login that is listed twice', async () => {
    const [first, second] = await run(['jane', 'jane']);
    expect(second).toBe(first);
    expect(await stored()).toHaveLength(1);
  });

  it('creates one byline in concurrent calls', async () => {
    const calls = await Promise.all([run(['jane']), run(['jane']), run(['jane=u1']), run(['x=u1'])]);
    expect(calls[0]).toEqual(calls[1]);
    expect(calls[2]).toEqual(calls[3]);
    expect(await stored()).toHaveLength(2);
  });
});

describe('bylineSlug', () => {
  it.each([
    ['Jörg Müller', 'jorg-muller'],
    ['42nd street', 'nd-street'],
    ['a@b.example', 'a-b-example'],
    ['--', 'author'],
    ['x'.repeat(300), 'x'.repeat(190)],
  ])('makes %s to %s', (login, slug) => {
    expect(bylineSlug(login)).toBe(slug);
  });
});
