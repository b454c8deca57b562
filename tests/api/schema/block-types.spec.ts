import { beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;
let count = 0;

beforeAll(async () => {
  admin = await site.as('admin');
});

const path = '/schema/block-types';
const title = { slug: 'title', label: 'Title', type: 'string' };
const text = { slug: 'text', label: 'Text', type: 'text' };

/** Creates a block type with a unique slug. */
async function create(fields: object[] = [title], more: object = {}) {
  count += 1;
  const response = await admin.post(path, { slug: `type_${count}`, label: `Type ${count}`, fields, ...more });
  expect(response.status).toBe(201);
  const { item } = response.data;
  return { slug: item.slug as string, item, fingerprint: item.versions[0].fingerprint as string };
}
const put = (slug: string, body: object) => admin.put(`${path}/${slug}`, body);
const activate = (slug: string, version: unknown, expectedFingerprint: string) =>
  admin.post(`${path}/${slug}/versions/${String(version)}/activate`, { expectedFingerprint });
/** The versions of a block type, the active one marked with an asterisk. */
const versionsOf = (item: { versions: { version: number; active: boolean }[] }) =>
  item.versions.map(({ version, active }) => `${version}${active ? '*' : ''}`);

describe('POST and GET /schema/block-types (contract 15)', () => {
  it('create a block type with its fields as the active version 1', async () => {
    const { item } = await create([title, text], { description: 'D', icon: 'i', category: 'c' });
    expect(item).toEqual({
      id: expect.any(String),
      slug: item.slug,
      label: item.label,
      description: 'D',
      icon: 'i',
      category: 'c',
      currentVersion: 1,
      source: 'user',
      versions: [
        {
          id: expect.any(String),
          blockTypeId: item.id,
          version: 1,
          fields: [title, text],
          fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
          active: true,
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        },
      ],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await admin.get(`${path}/${item.slug}`)).data.item).toEqual(item);
  });

  it('list block types by label, ignoring case', async () => {
    await create([], { label: 'zebra' });
    await create([], { label: 'Aardvark' });
    const labels = ((await admin.get(path)).data.items as { label: string }[]).map(({ label }) => label);
    expect(labels[0]).toBe('Aardvark');
    expect(labels.at(-1)).toBe('zebra');
  });

  it('return 409 BLOCK_TYPE_EXISTS for a taken slug, and create one block type when 6 requests race', async () => {
    const { slug } = await create();
    expect(statusAndCode(await admin.post(path, { slug, label: 'x', fields: [] }))).toEqual([
      409,
      'BLOCK_TYPE_EXISTS',
    ]);
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => admin.post(path, { slug: 'raced', label: 'x', fields: [] })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it.each([
    ['a malformed slug', { slug: 'No' }, 'slug'],
    ['a blank label', { label: ' ' }, 'label'],
    ['no fields', { fields: undefined }, 'fields'],
    ['an unknown key', { extra: 1 }, ''],
    ['an unknown key of a field', { fields: [{ ...title, unique: true }] }, 'fields.0'],
    ['a reference', { fields: [{ ...title, type: 'reference' }] }, 'fields.0.type'],
    ['json', { fields: [{ ...title, type: 'json' }] }, 'fields.0.type'],
    ['a slug field', { fields: [{ ...title, type: 'slug' }] }, 'fields.0.type'],
    ['nested blocks', { fields: [{ ...title, type: 'blocks' }] }, 'fields.0.type'],
    ['a duplicate slug', { fields: [title, title] }, 'fields.1.slug'],
    ['a rule of another type', { fields: [{ ...title, validation: { min: 1 } }] }, 'fields.0.validation.min'],
    ['an unknown rule', { fields: [{ ...title, validation: { relation: 'x' } }] }, 'fields.0.validation'],
    [
      'a repeater without sub-fields',
      { fields: [{ ...title, type: 'repeater' }] },
      'fields.0.validation.subFields',
    ],
    [
      'more than 100 fields',
      { fields: Array.from({ length: 101 }, (_, n) => ({ ...title, slug: `f${n}` })) },
      'fields',
    ],
  ])('return 400 with the path for %s', async (_, change, invalidPath) => {
    const response = await admin.post(path, {
      slug: 'refused',
      label: 'Refused',
      fields: [title],
      ...change,
    });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    const paths = (response.error.details?.['issues'] as { path: string }[]).map((issue) => issue.path);
    expect(paths).toContain(invalidPath);
    expect((await admin.get(`${path}/rejected`)).status).toBe(404);
  });
});

describe('PUT /schema/block-types/{slug} (contract 15)', () => {
  it('applies a compatible change to the active version', async () => {
    const { slug, item, fingerprint } = await create();
    const response = await put(slug, { expectedFingerprint: fingerprint, fields: [title, text] });
    expect(response.status).toBe(200);
    expect(versionsOf(response.data.item)).toEqual(['1*']);
    expect(response.data.item.versions[0]).toMatchObject({ id: item.versions[0].id, fields: [title, text] });
    expect(response.data.item.versions[0].fingerprint).not.toBe(fingerprint);
  });

  it('returns 409 BLOCK_TYPE_BREAKING_CHANGE for an incompatible change, and changes nothing', async () => {
    const { slug, item, fingerprint } = await create([title, text]);
    const response = await put(slug, { expectedFingerprint: fingerprint, fields: [title], label: 'New' });
    expect(statusAndCode(response)).toEqual([409, 'BLOCK_TYPE_BREAKING_CHANGE']);
    expect((await admin.get(`${path}/${slug}`)).data.item).toEqual(item);
  });

  it('adds an active version for an incompatible change with breaking: true', async () => {
    const { slug, fingerprint } = await create([title, text]);
    const { item } = (await put(slug, { expectedFingerprint: fingerprint, fields: [title], breaking: true }))
      .data;
    expect([versionsOf(item), item.currentVersion]).toEqual([['1', '2*'], 2]);
    expect(item.versions.map(({ fields }: { fields: object[] }) => fields)).toEqual([[title, text], [title]]);
  });

  it('applies a compatible change with breaking: true to the active version', async () => {
    const { slug, fingerprint } = await create();
    const { item } = (
      await put(slug, { expectedFingerprint: fingerprint, fields: [title, text], breaking: true })
    ).data;
    expect(versionsOf(item)).toEqual(['1*']);
  });

  it('updates only the submitted properties, and clears texts sent as null', async () => {
    const { slug, item, fingerprint } = await create([title], { description: 'D', icon: 'i' });
    const changed = (await put(slug, { expectedFingerprint: fingerprint, label: 'New', icon: null })).data
      .item;
    expect(changed).toMatchObject({ label: 'New', description: 'D', versions: item.versions });
    expect(changed).not.toHaveProperty('icon');
  });

  it('keeps the fingerprint when only labels of fields change', async () => {
    const { slug, fingerprint } = await create();
    const response = await put(slug, {
      expectedFingerprint: fingerprint,
      fields: [{ ...title, label: 'Headline' }],
    });
    expect(response.data.item.versions[0]).toMatchObject({ fingerprint, fields: [{ label: 'Headline' }] });
  });

  it('returns 409 BLOCK_TYPE_VERSION_CONFLICT with the current fingerprint for a stale one', async () => {
    const { slug, fingerprint } = await create();
    const { item } = (await put(slug, { expectedFingerprint: fingerprint, fields: [title, text] })).data;
    for (const response of [
      await put(slug, { expectedFingerprint: fingerprint, label: 'Late' }),
      await activate(slug, 1, fingerprint),
    ]) {
      expect(statusAndCode(response)).toEqual([409, 'BLOCK_TYPE_VERSION_CONFLICT']);
      expect(response.error.details).toEqual({ currentFingerprint: item.versions[0].fingerprint });
    }
  });

  it('returns 200 once when 6 requests race', async () => {
    const { slug, fingerprint } = await create();
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        put(slug, {
          expectedFingerprint: fingerprint,
          fields: [{ ...title, slug: `other_${n}` }],
          breaking: true,
        }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(versionsOf((await admin.get(`${path}/${slug}`)).data.item)).toEqual(['1', '2*']);
  });

  it.each([
    ['no fingerprint', { label: 'x' }],
    ['an unknown key', { expectedFingerprint: 'x', slug: 'other' }],
    ['a blank label', { expectedFingerprint: 'x', label: '' }],
    ['a wrong field', { expectedFingerprint: 'x', fields: [{ ...title, type: 'blocks' }] }],
  ])('returns 400 for %s', async (_, body) => {
    const { slug } = await create();
    expect(statusAndCode(await put(slug, body))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('POST /schema/block-types/{slug}/versions/{version}/activate (contract 15)', () => {
  it('activates an earlier version, and a later one again', async () => {
    const { slug, fingerprint } = await create([title, text]);
    const second = (await put(slug, { expectedFingerprint: fingerprint, fields: [title], breaking: true }))
      .data.item;
    const back = await activate(slug, 1, second.versions[1].fingerprint);
    expect([back.status, versionsOf(back.data.item), back.data.item.currentVersion]).toEqual([
      200,
      ['1*', '2'],
      1,
    ]);
    const again = (await activate(slug, 2, fingerprint)).data.item;
    expect(versionsOf(again)).toEqual(['1', '2*']);
    const third = await put(slug, {
      expectedFingerprint: again.versions[1].fingerprint,
      fields: [text],
      breaking: true,
    });
    expect(versionsOf(third.data.item)).toEqual(['1', '2', '3*']);
  });

  it('changes nothing for the active version', async () => {
    const { slug, item, fingerprint } = await create();
    expect((await activate(slug, 1, fingerprint)).data.item).toEqual(item);
  });

  it.each([
    ['0', 400, 'INVALID_INPUT'],
    ['-1', 400, 'INVALID_INPUT'],
    ['1.5', 400, 'INVALID_INPUT'],
    ['one', 400, 'INVALID_INPUT'],
    ['2', 404, 'NOT_FOUND'],
  ])('for the version %s returns %i %s', async (version, status, code) => {
    const { slug, fingerprint } = await create();
    expect(statusAndCode(await activate(slug, version, fingerprint))).toEqual([status, code]);
  });
});

describe('requests for an unknown block type', () => {
  it('return 404 BLOCK_TYPE_NOT_FOUND', async () => {
    for (const response of [
      await admin.get(`${path}/nothing`),
      await put('nothing', { expectedFingerprint: 'x' }),
      await activate('nothing', 1, 'x'),
    ])
      expect(statusAndCode(response)).toEqual([404, 'BLOCK_TYPE_NOT_FOUND']);
  });

  it('return 404 BLOCK_TYPE_NOT_FOUND for one of another site, whose slug can be reused', async () => {
    const { slug } = await create();
    const neighbour = await openSite();
    const other = await neighbour.as('admin');
    expect(statusAndCode(await other.get(`${path}/${slug}`))).toEqual([404, 'BLOCK_TYPE_NOT_FOUND']);
    expect((await other.get(path)).data.items).toEqual([]);
    expect((await other.post(path, { slug, label: 'Same slug', fields: [] })).status).toBe(201);
    await neighbour.close();
  });
});
