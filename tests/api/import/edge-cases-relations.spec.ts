import { describe, expect, it } from '@jest/globals';
import { useSite } from '@quire/testing';
import { useEdgeCases } from './edge-cases-support.js';
import { allComments, allMenus, allSections, collectionSlugs, entriesIn, parentsOf } from './support.js';

const site = useSite();
const cases = useEdgeCases(site);

/** The import record of an item: the API does not show it. */
async function recordOf(sourceId: string) {
  const rows = await site.sql<{ parentId: string | null; remainder: Record<string, unknown> }>(
    `SELECT parent_id AS "parentId", remainder FROM import_records WHERE source_id = $1 AND kind = 'entry'`,
    [sourceId],
  );
  expect(rows).toHaveLength(1);
  return rows[0]!;
}

describe('parents and featured images of imported entries (contract 2.2, 2.7)', () => {
  it('E36: a page is linked to its parent, which comes later in the file', async () => {
    const parent = cases.entry('E36 parent');
    expect(await parentsOf(cases.admin, cases.entry('E36 child'))).toEqual([parent.id]);
    expect(await parentsOf(cases.admin, parent)).toEqual([]);
    expect(cases.warnings('E36 child')).toEqual([]);
  });

  it('E36: a page whose parent is missing is at the top, with a warning', async () => {
    expect(await parentsOf(cases.admin, cases.entry('E36 orphan'))).toEqual([]);
    expect((await recordOf('1039')).parentId).toBe('1998');
    expect(cases.warnings('E36 orphan')).toEqual([['PARENT_MISSING', expect.stringContaining('1998')]]);
  });

  it('E37: an entry whose featured image is missing has none, with a warning', () => {
    expect(cases.entry('E37')).toMatchObject({ status: 'published' });
    expect(cases.entry('E37').data.featured_image ?? null).toBeNull();
    expect(cases.warnings('E37')).toEqual([['THUMBNAIL_MISSING', expect.stringContaining('1997')]]);
  });
});

describe('meta values of imported entries (contract 2.6)', () => {
  it('E38: values are stored with the types of their fields', () => {
    const { title: _title, content: _content, ...fields } = cases.entry('E38').data;
    expect(fields).toEqual({
      subtitle: 'Sub',
      repeat: ['first', 'second'],
      my_hyphen_key: 7,
      price: 19.9,
      price_text: '19,90 €',
      flag: true,
      packed: { name: 'Zoë €', ids: [4, 5] },
      as_json: { a: [1, 2] },
      legacy_id: 77,
      legacy_status: 'evil',
      legacy_terms: 'x',
      berschrift: 'u',
      lives: 'n',
      seo_title: 'Seo title',
      seo_description: 'Seo text',
      [`${'k'.repeat(63)}`]: 'long key',
      ends_at: '2024-02-29T10:00:00.000Z',
    });
  });

  it('E38: a reserved key does not change the property of its name', () => {
    const { id, status } = cases.entry('E38');
    expect([id === '77', status]).toEqual([false, 'published']);
  });

  it('E38: an impossible date leaves its field empty with a warning, and its text is kept', async () => {
    expect(cases.entry('E38').data).not.toHaveProperty('starts_at');
    expect(cases.warnings('E38')).toEqual([['META_UNFIT', expect.stringContaining("'starts_at'")]]);
    const { remainder } = await recordOf('1041');
    expect(remainder['meta']).toMatchObject({ starts_at: ['2024-02-30'], _wp_old_slug: 'older' });
  });
});

describe('comments of imported entries (contract 2.7)', () => {
  it('E39: approved and waiting comments are imported with their dates, as text, in threads of one level', async () => {
    const comments = await allComments(cases.admin);
    const bodyOf = (id: string | null) => comments.find((comment) => comment.id === id)?.body ?? null;
    const facts = comments.map(({ body, parentId, status, authorName, createdAt }) => [
      createdAt,
      body,
      bodyOf(parentId),
      status,
      authorName,
    ]);
    expect(facts.sort()).toEqual([
      ['2024-03-03T00:41:00.000Z', 'Root & more', null, 'approved', 'Root'],
      ['2024-03-03T00:42:00.000Z', 'reply first in file', 'Root & more', 'approved', 'Reader'],
      ['2024-03-03T00:43:00.000Z', 'third level', 'Root & more', 'approved', 'Reader'],
      ['2024-03-03T00:46:00.000Z', 'waiting', null, 'pending', 'Reader'],
      ['2024-03-03T00:48:00.000Z', 'by ada', null, 'approved', 'Ada L.'],
      ['2024-03-03T00:49:00.000Z', 'answers a comment that is not here', null, 'approved', 'Reader'],
    ]);
    expect(comments.map(({ contentId }) => contentId)).toEqual(Array(6).fill(cases.entry('E39').id));
    expect(cases.summary.comments).toEqual({ imported: 6, skipped: 3 });
  });

  it('E39: the address of the client is stored nowhere, and no mail is due', async () => {
    const comments = await allComments(cases.admin);
    expect(comments.filter(({ ipHash, userAgent }) => ipHash !== null || userAgent !== null)).toEqual([]);
    const records = await site.sql('SELECT remainder::text, result::text FROM import_records');
    expect(JSON.stringify([comments, records])).not.toContain('192.0.2.7');
    expect(await site.sql('SELECT 1 FROM comments WHERE announced_at IS NULL')).toEqual([]);
  });
});

describe('post types of an import (contract 2.3)', () => {
  it('E40: an item without a type is a post; names of types become legal slugs of collections', async () => {
    const collections = Object.fromEntries(
      ['E40 no post type', 'E40 hyphen', 'E40 reserved', 'E40 book'].map((title) => {
        const { type, slug, status } = cases.entry(title);
        return [title, [type, slug, status]];
      }),
    );
    expect(collections).toEqual({
      'E40 no post type': ['posts', 'e40-1', 'published'],
      'E40 hyphen': ['acf_field_group', 'e40b-1', 'published'],
      'E40 reserved': ['legacy_users', 'e40c-1', 'published'],
      'E40 book': ['book', 'e40d-1', 'published'],
    });
    expect((await collectionSlugs(cases.admin)).sort()).toEqual([
      'acf_field_group',
      'book',
      'legacy_users',
      'pages',
      'posts',
    ]);
  });

  it('E41: items of internal types are no entries, and are counted as skipped', () => {
    expect(cases.entries.filter(({ data }) => String(data.title).startsWith('E41'))).toEqual([]);
    const internal = [
      'revision',
      'custom_css',
      'customize_changeset',
      'oembed_cache',
      'wp_global_styles',
      'wp_navigation',
      'wp_template',
      'wp_template_part',
    ];
    for (const name of internal)
      expect([name, cases.summary.byType[name]]).toEqual([
        name,
        { items: 1, imported: 0, updated: 0, skipped: 1, failed: 0 },
      ]);
  });

  it('a reusable block becomes a section of the source `import`', async () => {
    const sections = await allSections(cases.admin);
    expect(sections.map(({ slug, title, source }) => [slug, title, source])).toEqual([
      ['cta-1', 'Call to action', 'import'],
    ]);
    const [{ content }] = sections;
    expect(
      content[0].children.map(({ text, marks }: { text: string; marks: string[] }) => [text, marks]),
    ).toEqual([
      ['Shared ', []],
      ['text', ['strong']],
    ]);
  });
});

describe('the menu of an import (contract 2.7)', () => {
  it('has its items in order below their parents, without targets that are gone and unsafe addresses', async () => {
    const [menu, ...others] = await allMenus(cases.admin);
    expect([menu.name, menu.label, others]).toEqual(['main', 'Main menu', []]);
    const labels = new Map<string, string>(
      menu.items.map(({ id, label }: { id: string; label: string }) => [id, label]),
    );
    const items = menu.items.map((item: Record<string, string | null>) => [
      item['label'],
      labels.get(item['parentId'] ?? '') ?? null,
      item['type'],
      item['customUrl'] ?? item['referenceCollection'],
    ]);
    expect(items).toEqual([
      ['Home', null, 'custom', '/'],
      ['Child before parent', 'E36 parent page after its child', 'custom', '/c'],
      ['E36 parent page after its child', null, 'page', 'pages'],
      ['Root cat', null, 'taxonomy', 'category'],
    ]);
  });

  it('refers to the imported page and the imported term', async () => {
    const [{ items }] = await allMenus(cases.admin);
    const referenceOf = (type: string) =>
      items.find((item: { type: string }) => item.type === type)?.referenceId as string;
    const page = (await entriesIn(cases.admin, 'pages')).find(
      ({ data }) => data.title === 'E36 parent page after its child',
    );
    expect(page?.translationGroup).toBe(referenceOf('page'));
    const { data: term } = await cases.admin.get('/taxonomies/category/terms/root');
    expect(term.term.translationGroup).toBe(referenceOf('taxonomy'));
  });

  it('warns of the items that are left out, and counts them', () => {
    expect([cases.warningCodes('Gone'), cases.warningCodes('Orphan')]).toEqual([
      ['MENU_ITEM_SKIPPED'],
      ['MENU_ITEM_SKIPPED'],
    ]);
    expect(cases.summary.menus).toEqual({ created: 1, items: 4 });
    expect(cases.summary.byType.nav_menu_item).toEqual({
      items: 6,
      imported: 4,
      updated: 0,
      skipped: 2,
      failed: 0,
    });
  });
});

describe('the summary of an import (contract 1.4)', () => {
  it('counts every warning that a case gives, and no other', () => {
    const codes = (cases.summary.warnings as { code: string }[]).map(({ code }) => code);
    const counts: Record<string, number> = {};
    for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
    expect(counts).toEqual({
      PARENT_MISSING: 2,
      URL_UNSAFE: 2,
      BLOCK_UNKNOWN: 3,
      SECTION_MISSING: 1,
      STATUS_CHANGED: 4,
      PASSWORD_REMOVED: 1,
      SLUG_RENAMED: 1,
      TITLE_FIXED: 1,
      THUMBNAIL_MISSING: 1,
      META_UNFIT: 1,
      DATE_INVALID: 1,
      MENU_ITEM_SKIPPED: 2,
    });
    expect(cases.summary.totals).toEqual({ errors: 0, warnings: codes.length });
  });
});
