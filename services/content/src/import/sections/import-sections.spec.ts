import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { contentImportApi } from '@quire/internal-api';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { contentTables } from '../../migrations/index.js';
import { libraryFile } from '../testing/import-setup.js';
import { importSections } from './index.js';

let content: ServiceTenant;

beforeAll(async () => {
  content = await openServiceTenant('spec-of-import-sections', 'content', contentTables, contentEntities);
});
afterAll(() => content.close());
beforeEach(async () => {
  await content.ctx.db.query('DELETE FROM sections');
  await content.ctx.db.query('DELETE FROM import_records');
});

const text = { _type: 'block', _key: 'k', children: [{ _type: 'span', _key: 's', text: 'x' }] };
/** Sections as "source id:slug". */
const run = (
  sections: string[],
  {
    importId = 'i1',
    blocks = [text] as object[],
    title = 'Title',
    media = [] as contentImportApi.KnownMedia[],
  } = {},
) =>
  importSections(content.ctx, {
    importId,
    site: 'a.example',
    media,
    sections: sections.map((section) => {
      const [id = '', slug = ''] = section.split(':');
      return { source: { type: 'wp_block', id }, slug, title, content: blocks as Record<string, unknown>[] };
    }),
  });
const stored = () =>
  content.ctx.db.query('SELECT slug, title, content, source, keywords FROM sections ORDER BY slug');
const records = () =>
  content.ctx.db.query(
    `SELECT r.source_id AS id, r.kind, r.import_id AS "importId", s.slug
     FROM import_records r LEFT JOIN sections s ON s.id = r.target_id ORDER BY 1`,
  );

describe('importSections (contract 2.7)', () => {
  it('creates sections with the images that are in the library already', async () => {
    const image = (asset: object) => ({ _type: 'image', _key: 'k', asset: { _type: 'reference', ...asset } });
    const address = 'https://old.example/a.jpg';
    const blocks = [image({ _ref: '5', url: 'http://old.example/a-300x200.jpg' })];
    await run(['1:hero'], { blocks, media: [{ address, file: libraryFile('m1') }] });
    expect(await stored()).toMatchObject([
      { slug: 'hero', content: [image({ _ref: 'm1', url: '/_cms/api/media/file/m1' })] },
    ]);
  });

  it('creates sections of the source `import`, and records them', async () => {
    expect(await run(['1:hero', '2:日本'])).toEqual({
      created: 2,
      createdIds: ['1', '2'],
      skipped: 0,
      warnings: [],
    });
    const section = { title: 'Title', content: [text], source: 'import', keywords: [] };
    expect(await stored()).toEqual([
      { slug: 'hero', ...section },
      { slug: '日本', ...section },
    ]);
    expect(await records()).toEqual([
      { id: '1', kind: 'section', importId: 'i1', slug: 'hero' },
      { id: '2', kind: 'section', importId: 'i1', slug: '日本' },
    ]);
  });

  it('skips a slug that exists, also within a call', async () => {
    await run(['1:hero'], { title: 'First' });
    expect(await run(['2:hero', '3:new', '4:new'], { importId: 'i2' })).toMatchObject({
      created: 1,
      skipped: 2,
    });
    expect(await stored()).toMatchObject([{ title: 'First' }, { slug: 'new' }]);
    expect(await records()).toHaveLength(2);
  });

  it('counts a repeated call of one import as the first one', async () => {
    const first = await run(['1:hero', '2:other']);
    expect(await run(['1:hero', '2:other'])).toEqual(first);
    expect(await run(['1:hero', '2:other'], { importId: 'i2' })).toMatchObject({ created: 0, skipped: 2 });
  });

  it('leaves a section whose slug a user has changed, and creates a deleted one again', async () => {
    await run(['1:hero', '2:gone']);
    await content.ctx.db.query(`UPDATE sections SET slug = 'renamed' WHERE slug = 'hero'`);
    await content.ctx.db.query(`DELETE FROM sections WHERE slug = 'gone'`);
    expect(await run(['1:hero', '2:gone'], { importId: 'i2' })).toMatchObject({ created: 1, skipped: 1 });
    expect((await stored()).map((row) => (row as { slug: string }).slug)).toEqual(['gone', 'renamed']);
  });

  it('adds missing keys, and a title where there is none', async () => {
    await run(['1:hero'], { blocks: [{ _type: 'break' }], title: '  ' });
    expect(await stored()).toMatchObject([
      { title: 'hero', content: [{ _type: 'break', _key: expect.any(String) }] },
    ]);
  });

  it('leaves out content that is no rich text with a warning', async () => {
    expect(await run(['1:bad'], { blocks: [{ text: 'no type' }] })).toMatchObject({
      created: 0,
      skipped: 0,
      warnings: [{ id: '1', code: 'SECTION_MISSING' }],
    });
    expect(await stored()).toEqual([]);
  });

  it('creates each once in concurrent calls', async () => {
    const results = await Promise.all([run(['1:a', '2:b']), run(['2:b', '1:a'])]);
    expect(results.map(({ created }) => created)).toEqual([2, 2]);
    expect(await stored()).toHaveLength(2);
  });
});
