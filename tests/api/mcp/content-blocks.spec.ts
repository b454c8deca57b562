import { beforeAll, describe, expect, it } from '@jest/globals';
import { useSite, type Client } from '@quire/testing';
import { articleFields, create, failure, read, succeed } from './entries-support.js';

const site = useSite();
let editor: Client;

const fields = [
  { slug: 'heading', label: 'Heading', type: 'string' },
  { slug: 'text', label: 'Text', type: 'portableText' },
];

beforeAll(async () => {
  editor = await site.as('editor');
  const admin = await site.as('admin');
  for (const slug of ['hero', 'quote'])
    await admin.post('/schema/block-types', { slug, label: slug, fields });
  await site.collection({ fields: [...articleFields, { slug: 'layout', type: 'blocks' }] });
  const { data } = await admin.get('/schema/block-types/hero');
  const active = data.item.versions[0];
  const change = { expectedFingerprint: active.fingerprint, fields: fields.slice(1), breaking: true };
  const { status } = await admin.put('/schema/block-types/hero', change);
  if (status !== 200) throw new Error('The block type was not changed');
});

const hero = (more: object = {}) => ({ _type: 'hero', _version: 1, _key: 'a', heading: 'H', ...more });
const block = (text: string, style = 'normal') =>
  expect.objectContaining({
    _type: 'block',
    _key: expect.any(String),
    style,
    children: [expect.objectContaining({ text })],
  });

describe('Markdown in content_create and content_update', () => {
  it('is converted to rich text, also inside blocks', async () => {
    const { item, address, _rev } = await create(editor, {
      data: { text: '# Title\n\nwords', layout: [hero({ text: '> said' })] },
    });
    expect(item.data.text).toEqual([block('Title', 'h1'), block('words')]);
    expect(item.data.layout).toEqual([hero({ text: [block('said', 'blockquote')] })]);
    const { data } = await succeed(editor, 'content_update', { ...address, _rev, data: { text: '' } });
    expect(data.item.data.text ?? []).toEqual([]);
  });

  it('is returned with markdown: true, also inside blocks, and written back without a change', async () => {
    const text = [
      { _type: 'block', style: 'normal', children: [{ _type: 'span', text: '1. *no* list' }], markDefs: [] },
      { _type: 'gallery', _key: 'g', images: [{ alt: 'picture -->' }] },
    ];
    const { address } = await create(editor, { data: { text, layout: [hero({ text })] } });
    const { item, _rev } = await read(editor, address, { markdown: true });
    expect([typeof item.data.text, item.data.layout[0].text]).toEqual(['string', item.data.text]);
    const { data } = await succeed(editor, 'content_update', { ...address, _rev, data: item.data });
    const [paragraph, gallery] = data.item.data.text;
    expect(paragraph.children[0].text).toBe('1. *no* list');
    expect(gallery).toMatchObject(text[1] ?? {});
    const again = await read(editor, address, { markdown: true });
    expect(again.item.data).toEqual(item.data);
  });

  it('leaves an array as it is sent', async () => {
    const text = [{ _type: 'custom', _key: 'x', any: { thing: [1] } }];
    expect((await create(editor, { data: { text } })).item.data.text).toEqual(text);
  });

  it.each([
    ['more than 100,000 characters', 'a'.repeat(100_001)],
    ['too many marks in a paragraph', '*a_ '.repeat(1_000)],
  ])('is a VALIDATION_ERROR that names the field for %s', async (_, text) => {
    const [code, message] = await failure(editor, 'content_create', {
      collection: 'posts',
      data: { title: 'T', text },
    });
    expect([code, message]).toEqual(['VALIDATION_ERROR', expect.stringContaining('text: must have at most')]);
  });
});

describe('blocks in content_create and content_update', () => {
  it('keep their version without migrateBlocks', async () => {
    expect((await create(editor, { data: { layout: [hero()] } })).item.data.layout).toEqual([hero()]);
  });

  it('get the active version of their type with migrateBlocks: true', async () => {
    const { address, _rev } = await create(editor, { data: { layout: [hero()] } });
    const moved = { _type: 'hero', _key: 'a', text: 'words' };
    const args = { ...address, _rev, data: { layout: [moved] }, migrateBlocks: true };
    const { data } = await succeed(editor, 'content_update', args);
    expect(data.item.data.layout).toEqual([{ ...moved, _version: 2, text: [block('words')] }]);
    const [code, message] = await failure(editor, 'content_update', {
      ...address,
      _rev: data._rev,
      data: { layout: [hero()] },
      migrateBlocks: true,
    });
    expect([code, message]).toEqual(['VALIDATION_ERROR', expect.stringContaining('heading')]);
  });

  it('get keys and versions with replaceBlocks: true; without it they are required', async () => {
    const layout = [
      { _type: 'hero', text: [] },
      { _type: 'quote', _version: 1, heading: 'Q' },
    ];
    const args = { collection: 'posts', data: { title: 'T', layout } };
    expect((await failure(editor, 'content_create', args))[0]).toBe('VALIDATION_ERROR');
    const { data } = await succeed(editor, 'content_create', { ...args, replaceBlocks: true });
    expect(data.item.data.layout).toMatchObject([{ _version: 2 }, { _version: 1, heading: 'Q' }]);
    const keys = data.item.data.layout.map(({ _key }: { _key: string }) => _key);
    expect(new Set(keys).size).toBe(2);
  });

  it('of a retired type stay without replaceBlocks, and are rejected as new ones with it', async () => {
    const quote = { _type: 'quote', _version: 1, _key: 'q', heading: 'Q' };
    const { address, _rev } = await create(editor, { data: { layout: [quote] } });
    const admin = await site.as('admin');
    const field = '/schema/collections/posts/fields/layout';
    expect((await admin.put(field, { validation: { allowedTypes: ['hero', 'quote'] } })).status).toBe(200);
    expect((await admin.put(field, { validation: { allowedTypes: ['hero'] } })).status).toBe(200);
    const data = { layout: [{ ...quote, heading: 'Changed' }] };
    const rejected = await failure(editor, 'content_update', { ...address, _rev, data, replaceBlocks: true });
    expect(rejected).toEqual(['VALIDATION_ERROR', expect.stringContaining('layout.0._type')]);
    const changed = await succeed(editor, 'content_update', { ...address, _rev, data });
    expect(changed.data.item.data.layout).toEqual(data.layout);
    expect((await admin.put(field, { validation: { allowedTypes: ['hero', 'quote'] } })).status).toBe(200);
  });

  it.each([null, 'text', {}])('are a VALIDATION_ERROR when given as %j', async (layout) => {
    const args = { collection: 'posts', data: { title: 'T', layout } };
    const [code, message] = await failure(editor, 'content_create', args);
    expect([code, message]).toEqual(['VALIDATION_ERROR', expect.stringContaining('layout')]);
  });

  it('are an empty list when omitted', async () => {
    expect((await create(editor)).item.data.layout).toEqual([]);
  });
});
