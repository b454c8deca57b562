import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { buildPackage, recordOf, useFixture, type PackageContent } from '@quire/testing';
import type { BlockerCode, WarningCode } from '../plan/plan.js';
import { openAnalyses } from './testing/analyses.fixture.js';
import {
  changed,
  withField,
  withProperties,
  withValues,
  type Change,
} from './testing/changed-content.fixture.js';
import { siteContent } from './testing/site-content.fixture.js';

const analyses = useFixture(() => openAnalyses('spec-of-import-analysis'));

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const setting = (value: string) => `{"key":"title","value":${value},"updatedAt":"2026-01-02T03:04:05.678Z"}`;
const image = (properties: object) => ({ picture: { id: 'm1', ...properties } });
const second = (records: readonly Record<string, unknown>[], properties: object) =>
  records.map((record, index) => (index === 1 ? { ...record, ...properties } : record));

const blocked: [BlockerCode, string, PackageContent, object][] = [
  [
    'package_invalid',
    'other logical digest',
    { ...siteContent(), manifest: { logicalDigest: `sha256:${'0'.repeat(64)}` } },
    {},
  ],
  [
    'package_invalid',
    'other sums of media',
    { ...siteContent(), manifest: { media: { count: 2, bytes: 17 } } },
    {},
  ],
  ['package_invalid', 'another index', { ...siteContent(), manifest: { index: [] } }, {}],
  ['unsupported_format', 'another version', { ...siteContent(), manifest: { formatVersion: '2' } }, {}],
  ['unsupported_feature', 'an unknown feature', { ...siteContent(), manifest: { features: ['x'] } }, {}],
  ['limit_exceeded', 'too deep JSON', changed('settings', () => [setting(deep(256))]), { kind: 'settings' }],
  [
    'limit_exceeded',
    'too many records',
    { ...siteContent(), manifest: { counts: { entries: 100_000_001 } } },
    {},
  ],
  ['record_invalid', 'a line without JSON', changed('settings', () => ['{']), { kind: 'settings' }],
  ['record_invalid', 'a line that is a list', changed('settings', () => ['[]']), { kind: 'settings' }],
  [
    'record_invalid',
    'an unknown property',
    withProperties('menus', { more: 1 }),
    { kind: 'menus', id: 'menu' },
  ],
  [
    'record_invalid',
    'a wrong type',
    withProperties('menus', { label: 1 }),
    { detail: expect.objectContaining({ path: 'label' }) },
  ],
  [
    'record_count_mismatch',
    'other counts',
    { ...siteContent(), manifest: { counts: { menus: 2 } } },
    { kind: 'principals', count: 2 },
  ],
  [
    'record_order_invalid',
    'another order',
    changed('comments', (all) => [...all].reverse()),
    { kind: 'comments', id: 'c-1' },
  ],
  [
    'duplicate_id',
    'two equal keys',
    changed('sections', (all) => [...all, ...all]),
    { kind: 'sections', id: 's' },
  ],
  [
    'duplicate_id',
    'one id in two collections',
    changed('entries', (all) => [...all, { ...all[0], collection: 'q' }]),
    { kind: 'entries' },
  ],
  [
    'dangling_reference',
    'a missing entry',
    withProperties('comments', { contentId: 'gone' }),
    { kind: 'comments', id: 'c-1', count: 1, detail: expect.objectContaining({ names: 'gone' }) },
  ],
  [
    'dangling_reference',
    'a missing draft',
    withProperties('entries', { draftRevisionId: 'gone' }),
    { kind: 'entries', id: 'posts/e-1' },
  ],
  [
    'reference_cycle',
    'a ring of parents',
    withProperties('term_groups', { parentId: 'tg-3' }),
    { kind: 'term_groups', id: 'tg-1', count: 3 },
  ],
  [
    'reference_cycle',
    'a parent of itself',
    withProperties('comments', { parentId: 'c-1' }),
    { kind: 'comments', id: 'c-1', count: 2 },
  ],
  ['media_ref_invalid', 'another size of its file', withProperties('media_items', { size: 1 }), { id: 'm1' }],
  ['media_blob_missing', 'no file', { ...siteContent(), media: [] }, { id: 'm1', count: 1 }],
  ['media_blob_too_large', 'a file beyond the limit', { ...siteContent(), media: [Buffer.alloc(1001)] }, {}],
  [
    'field_type_unknown',
    'an unknown type',
    withField('title', { type: 'hologram' }),
    { kind: 'fields', id: 'f-title' },
  ],
  [
    'field_type_unknown',
    'an unknown type in a block',
    withProperties('block_type_versions', { fields: [{ slug: 'x', label: 'X', type: 'json' }] }),
    { id: 'btv' },
  ],
  [
    'integer_out_of_range',
    'an integer beyond 32 bits',
    withProperties('menu_items', { sortOrder: 2 ** 31 }),
    { kind: 'menu_items' },
  ],
  [
    'integer_out_of_range',
    'an integer beyond 2^53',
    withProperties('media_items', { size: 2 ** 53 }),
    { kind: 'media_items' },
  ],
  [
    'integer_out_of_range',
    'a value beyond 2^53',
    withValues({ stock: 2 ** 53 }),
    { detail: expect.objectContaining({ property: 'values.stock' }) },
  ],
  [
    'value_constraint_violation',
    'a reserved slug of a field',
    withField('title', { slug: 'id' }),
    { kind: 'fields' },
  ],
  [
    'value_constraint_violation',
    'an invalid rule',
    withField('summary', { validation: { pattern: '(' } }),
    { id: 'f-summary' },
  ],
  [
    'value_constraint_violation',
    'an invalid slug of a collection',
    withProperties('collections', { slug: 'Posts"' }),
    { kind: 'collections' },
  ],
  [
    'value_constraint_violation',
    'U+0000',
    changed('settings', () => [setting(String.raw`"a\u0000"`)]),
    { kind: 'settings' },
  ],
  [
    'value_constraint_violation',
    'half of a surrogate pair',
    changed('settings', () => [setting(String.raw`"\ud800"`)]),
    {},
  ],
  [
    'value_constraint_violation',
    'a number beyond double precision',
    changed('settings', () => [setting('1e999')]),
    {},
  ],
  [
    'value_constraint_violation',
    'the year 0',
    withProperties('menus', { createdAt: '0000-01-02T03:04:05.678Z' }),
    {},
  ],
  [
    'value_constraint_violation',
    'a malformed locale',
    withProperties('menus', { locale: '!' }),
    { kind: 'menus' },
  ],
  [
    'unique_violation',
    'one slug twice',
    changed('entries', (all) => second(all, { slug: 'one', locale: 'en' })),
    { kind: 'entries', id: 'posts/e-1', count: 1 },
  ],
  [
    'unique_violation',
    'names of folders that differ in case',
    changed('media_folders', (all) => [...all, recordOf('media_folders', { id: 'mg', name: 'LOGOS' })]),
    { kind: 'media_folders' },
  ],
  [
    'unique_violation',
    'one value of a unique field twice',
    changed('entries', (all) => [...all, { ...all[0], id: 'e-4', translationGroup: 'g-4', slug: 'four' }]),
    { detail: expect.objectContaining({ property: 'values.alias' }) },
  ],
  [
    'unique_violation',
    'two translations of one locale',
    changed('entries', (all) => second(all, { locale: 'en' })),
    {},
  ],
];

const badValues: [string, object][] = [
  ['text', { title: 1 }],
  ['an unsafe link', { link: 'javascript:alert(1)' }],
  ['a link to another site without its scheme', { link: '//evil.example' }],
  ['number', { price: '1' }],
  ['integer', { stock: 1.5 }],
  ['boolean', { isopen: 1 }],
  ['an instant without milliseconds', { at: '2026-01-02T03:04:05Z' }],
  ['a list of ids', { friends: 'e-1' }],
  ['a JSON text', { extra: '{' }],
  ['an unsafe link in an image', image({ provider: 'external', src: 'javascript:x' })],
  ['an unsafe link in a repeater', { rows: [{ link: 'javascript:x' }] }],
  [
    'an unsafe link in a block',
    { blocks: [{ _type: 'quote', _version: 1, _key: 'k', link: 'javascript:x' }] },
  ],
  ['a text that is too long for its index', { title: 'x'.repeat(2601) }],
  ['a value without a field', { former: 1 }],
  ['no value', { color: undefined }],
];

const warned: [WarningCode, PackageContent, object][] = [
  [
    'media_row_missing',
    { ...siteContent(), media: [Buffer.from('bytes of an image'), Buffer.from('x')] },
    { count: 1 },
  ],
  [
    'media_provider_external',
    withValues(image({ provider: 'clips' })),
    { kind: 'entries', id: 'posts/e-1', count: 1 },
  ],
  [
    'soft_reference_dangling',
    siteContent(),
    { kind: 'relations', id: 'r', detail: expect.objectContaining({ names: 'gone' }) },
  ],
  ['redirect_loops_unchecked', siteContent(), { kind: 'redirects', count: 1 }],
  [
    'issues_truncated',
    withProperties('entries', {
      values: Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`former_${index}`, 1])),
    }),
    {},
  ],
];

describe('analysis of a package', () => {
  it('finds no blocker with records of every kind, though values break rules of their fields', async () => {
    const plan = await analyses.plan(buildPackage(siteContent()));
    expect(plan).toMatchObject({
      blockers: [],
      counts: { entries: 3, fields: 18 },
      bytes: { media: 17 },
      origin: { siteId: 'site-1', packageId: 'package-1', createdByVersion: '1.0.0' },
      settings: { title: { package: 'Package', target: 'Target' }, tagline: {} },
    });
  });

  it('finds no blocker in a package without records', async () => {
    expect(await analyses.plan(buildPackage())).toMatchObject({ blockers: [], warnings: [], counts: {} });
  });

  it.each(blocked)('finds %s: %s', async (code, _, content, expected) => {
    const { blockers } = await analyses.plan(buildPackage(content));
    expect(blockers).toContainEqual(expect.objectContaining({ code, ...expected }));
  });

  it.each(badValues)('finds value_constraint_violation in values of an entry: %s', async (_, values) => {
    const { blockers } = await analyses.plan(buildPackage(withValues(values)));
    const property = `values.${Object.keys(values)[0]}`;
    expect(blockers).toEqual([
      expect.objectContaining({
        code: 'value_constraint_violation',
        kind: 'entries',
        id: 'posts/e-1',
        count: 1,
        detail: expect.objectContaining({ property }),
      }),
    ]);
  });

  it('accepts the values of revisions without those of fields, but not unsafe ones', async () => {
    const revision = (data: object) => buildPackage(withProperties('revisions', { data }));
    expect((await analyses.plan(revision({ former: 'x', title: '' }))).blockers).toEqual([]);
    expect((await analyses.plan(revision({ link: 'javascript:x' }))).blockers).toMatchObject([
      { code: 'value_constraint_violation', detail: { property: 'data.link' } },
    ]);
  });

  it.each(warned)('warns of %s', async (code, content, expected) => {
    const { warnings } = await analyses.plan(buildPackage(content));
    expect(warnings).toContainEqual(expect.objectContaining({ code, ...expected }));
  });

  it('lists at most 100 blockers', async () => {
    const content = warned.find(([code]) => code === 'issues_truncated')?.[1];
    expect((await analyses.plan(buildPackage(content))).blockers).toHaveLength(100);
  });

  it('counts records with one fault as one blocker with the first record', async () => {
    const all: Change = (comments) => comments.map((comment) => ({ ...comment, body: null }));
    expect((await analyses.plan(buildPackage(changed('comments', all)))).blockers).toMatchObject([
      { code: 'record_invalid', kind: 'comments', id: 'c-1', count: 2, detail: { property: 'body' } },
    ]);
  });

  it('reads no further after 1,000 lines that are no records', async () => {
    const lines: Change = () => Array.from({ length: 2_500 }, () => 'x');
    const { blockers } = await analyses.plan(buildPackage(changed('settings', lines)));
    expect(blockers).toMatchObject([{ code: 'record_invalid', kind: 'settings', count: 1000 }]);
  });
});
