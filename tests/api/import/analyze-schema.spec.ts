import { beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, useSite, type Client, type FieldInput } from '@quire/testing';
import { exportOf } from './export-builder.js';
import { analyze, dataOf, prepareFor } from './support.js';

const site = useSite();
let admin: Client;
beforeAll(async () => {
  admin = await site.as('admin');
});

/** An export of one item of a type; its collection has the name of the type. */
const fileOf = (type: string, meta: Record<string, string> = {}) => exportOf([{ id: 1, type, meta }]);

/** What the analysis says of the only type of a file. */
async function typeOf(type: string, meta?: Record<string, string>) {
  const { postTypes } = dataOf(await analyze(admin, fileOf(type, meta)));
  expect(postTypes).toHaveLength(1);
  const [{ status, schemaStatus, suggestedCollection }] = postTypes;
  expect([suggestedCollection, schemaStatus.status]).toEqual([type, status]);
  return { status, ...schemaStatus };
}

const base: FieldInput[] = [
  { slug: 'title', type: 'string' },
  { slug: 'content', type: 'portableText' },
  { slug: 'excerpt', type: 'text' },
];

describe('the schema status of a post type', () => {
  it('is new_collection without a collection of the suggested slug', async () => {
    expect(await typeOf('absent')).toEqual({
      status: 'new_collection',
      exists: false,
      canImport: true,
      fieldStatus: {
        title: { status: 'missing', requiredType: 'string' },
        content: { status: 'missing', requiredType: 'portableText' },
        excerpt: { status: 'missing', requiredType: 'text' },
      },
    });
  });

  it('is ready when every field has the same or a compatible type', async () => {
    await site.collection({
      slug: 'compatible',
      fields: [
        { slug: 'title', type: 'slug' },
        { slug: 'content', type: 'json' },
        { slug: 'excerpt', type: 'string' },
        { slug: 'amount', type: 'integer' },
        { slug: 'unrelated', type: 'boolean' },
      ],
    });
    expect(await typeOf('compatible', { amount: '5' })).toEqual({
      status: 'ready',
      exists: true,
      canImport: true,
      fieldStatus: {
        title: { status: 'compatible', existingType: 'slug', requiredType: 'string' },
        content: { status: 'compatible', existingType: 'json', requiredType: 'portableText' },
        excerpt: { status: 'compatible', existingType: 'string', requiredType: 'text' },
        amount: { status: 'compatible', existingType: 'integer', requiredType: 'number' },
      },
    });
  });

  it('is add_fields when fields are missing, and ready after prepare', async () => {
    await site.collection({ slug: 'lacking', fields: base.slice(0, 2) });
    expect(await typeOf('lacking', { color: 'red' })).toMatchObject({
      status: 'add_fields',
      exists: true,
      canImport: true,
      fieldStatus: {
        title: { status: 'compatible' },
        excerpt: { status: 'missing', requiredType: 'text' },
        color: { status: 'missing', requiredType: 'string' },
      },
    });
    await prepareFor(admin, fileOf('lacking', { color: 'red' }));
    expect((await typeOf('lacking', { color: 'red' })).status).toBe('ready');
  });

  it('is incompatible with a reason when a field has another type', async () => {
    await site.collection({
      slug: 'clashing',
      fields: [...base.slice(1), { slug: 'title', type: 'integer' }, { slug: 'color', type: 'boolean' }],
    });
    const status = await typeOf('clashing', { color: 'red' });
    expect(status).toMatchObject({
      status: 'incompatible',
      exists: true,
      canImport: false,
      fieldStatus: {
        title: { status: 'type_mismatch', existingType: 'integer', requiredType: 'string' },
        color: { status: 'type_mismatch', existingType: 'boolean', requiredType: 'string' },
        content: { status: 'compatible' },
      },
    });
    for (const part of ['title', 'color']) expect(status.reason).toContain(part);
  });

  it('does not see the collections of another site', async () => {
    await site.collection({ slug: 'own', fields: base });
    expect((await typeOf('own')).status).toBe('ready');
    const other = await openSite();
    try {
      const { postTypes } = dataOf(await analyze(await other.as('admin'), fileOf('own')));
      expect(postTypes[0].status).toBe('new_collection');
    } finally {
      await other.close();
    }
  });

  it.each([
    ['post', 'posts'],
    ['page', 'pages'],
    ['product', 'products'],
    ['testimonial', 'testimonials'],
    ['event', 'events'],
    ['faq', 'faqs'],
    ['Mixed-Case.Type', 'mixed_case_type'],
    ['9lives', 'lives'],
    ['___', 'imported'],
    ['media', 'legacy_media'],
    [`t${'x'.repeat(80)}`, `t${'x'.repeat(62)}`],
  ])('names the collection of the type %s %s', async (type, collection) => {
    const { postTypes } = dataOf(await analyze(admin, fileOf(type)));
    expect(postTypes[0]).toMatchObject({ name: type, suggestedCollection: collection });
  });

  it('suggests a collection of its own for each of several types of one slug', async () => {
    const types = ['a-b', 'a_b', 'A B'];
    const file = exportOf(types.map((type, index) => ({ id: index + 1, type })));
    const { postTypes } = dataOf(await analyze(admin, file));
    const slugs = postTypes.map((type: Record<string, string>) => type['suggestedCollection']);
    expect(slugs).toEqual(['a_b', 'a_b_1', 'a_b_2']);
  });

  it('requires a featured image only of types whose items have one', async () => {
    const thumbnail = { _thumbnail_id: '9' };
    const file = exportOf([
      { id: 1, type: 'with', meta: thumbnail },
      { id: 2, type: 'without' },
    ]);
    const { postTypes } = dataOf(await analyze(admin, file));
    const fields = postTypes.map(({ requiredFields }: { requiredFields: { slug: string }[] }) =>
      requiredFields.map(({ slug }) => slug),
    );
    expect(fields).toEqual([
      ['title', 'content', 'excerpt', 'featured_image'],
      ['title', 'content', 'excerpt'],
    ]);
  });
});
