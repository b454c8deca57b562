import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  callTool,
  createEntry,
  eventually,
  statusAndCode,
  useSite,
  type ApiResponse,
  type Client,
} from '@quire/testing';
import { exportOf, headOf } from '../import/export-builder.js';
import { dataOf, execute } from '../import/support.js';
import { limit } from './support.js';

const site = useSite();
const other = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  for (const each of [site, other]) await each.collection();
});

const create = (more: object = {}) => admin.post('/content/posts', { data: { title: 'One' }, ...more });
const isRefused = ({ error }: ApiResponse) => error.code === 'ENTRY_LIMIT_EXCEEDED';
const used = async () => Number((await site.sql('SELECT sum(entries) AS n FROM entry_counts'))[0]?.['n']);

/** Limits the site to the entries that it has and so many more, and waits until the gateway knows. */
async function leaveRoomFor(count: number): Promise<void> {
  // Entries that are created until then count too.
  await limit(site, 'entries=1');
  expect(isRefused(await eventually(() => create(), isRefused))).toBe(true);
  await limit(site, `entries=${(await used()) + count + 1}`);
  expect(
    (
      await eventually(
        () => create(),
        ({ status }) => status === 201,
      )
    ).status,
  ).toBe(201);
}

describe('the limit of the entries of a site', () => {
  it('refuses a creation above it with the limit and the number of entries', async () => {
    await leaveRoomFor(0);
    const refused = await create();
    const entries = await used();
    expect(statusAndCode(refused)).toEqual([403, 'ENTRY_LIMIT_EXCEEDED']);
    expect(refused.error.details).toEqual({ limit: entries, used: entries });
    const elsewhere = await (await other.as('admin')).post('/content/posts', { data: { title: 'Other' } });
    expect(elsewhere.status).toBe(201);
  });

  it('refuses duplicates, translations, MCP tools and entries of the trash too, and writes nothing', async () => {
    await leaveRoomFor(2);
    const [kept, trashed] = [
      await createEntry(admin, 'posts', {}, { slug: 'kept' }),
      await createEntry(admin, 'posts', {}, { slug: 'trashed' }),
    ];
    // The trash does not count.
    await trashed.remove();
    expect((await create({ slug: 'in-its-place' })).status).toBe(201);
    const entries = await used();
    const revisions = () => site.sql('SELECT count(*) FROM revisions');
    const before = await revisions();
    for (const refused of [
      await create(),
      await kept.duplicate(),
      await create({ locale: 'de', translationOf: kept.id }),
      await create({ publish: true, slug: 'published' }),
      await admin.post('/content/posts', { data: {} }, { headers: { 'idempotency-key': 'over-the-limit' } }),
      await trashed.restore(),
    ])
      expect(statusAndCode(refused)).toEqual([403, 'ENTRY_LIMIT_EXCEEDED']);
    const tool = await callTool(admin, 'content_create', {
      collection: 'posts',
      data: { title: 'By a tool' },
    });
    expect(tool).toMatchObject({ code: 'ENTRY_LIMIT_EXCEEDED', details: { limit: entries, used: entries } });
    expect([await used(), await revisions()]).toEqual([entries, before]);
    // Everything else goes on.
    expect((await kept.put({ data: { title: 'Changed' } })).status).toBe(200);
    expect((await kept.publish()).status).toBe(200);
    await kept.remove();
    expect((await trashed.restore()).status).toBe(200);
  });

  it('is not exceeded by concurrent creations', async () => {
    await leaveRoomFor(3);
    const entries = await used();
    const responses = await Promise.all(Array.from({ length: 12 }, () => create()));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(responses.filter(isRefused)).toHaveLength(9);
    expect(await used()).toBe(entries + 3);
  });

  it('fails the entries of an import that have no room, each by its code', async () => {
    await site.collection({
      slug: 'imported',
      fields: [
        { slug: 'title', type: 'string', required: true },
        { slug: 'content', type: 'portableText' },
        { slug: 'excerpt', type: 'text' },
      ],
    });
    await leaveRoomFor(3);
    const config = { postTypeMappings: { post: { collection: 'imported' } } };
    let imports = 0;
    const importItems = async (count: number) => {
      const source = headOf(`https://source-${(imports += 1)}.example`);
      const items = Array.from({ length: count }, (_, index) => ({
        id: index + 1,
        title: `Item ${index + 1}`,
      }));
      return dataOf(await execute(admin, exportOf(items, source), config));
    };
    // The worker may learn of the limit later than the gateway.
    expect(
      await eventually(
        () => importItems(1),
        ({ imported }) => imported === 1,
      ),
    ).toMatchObject({ failed: 0 });
    const entries = await used();
    const summary = await importItems(5);
    expect(summary).toMatchObject({ imported: 2, failed: 3, failedAsDrafts: 0 });
    expect(summary.errors).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ code: 'ENTRY_LIMIT_EXCEEDED' })),
    );
    expect(await used()).toBe(entries + 2);
  });

  it('is gone when it is removed', async () => {
    await leaveRoomFor(0);
    await limit(site, 'entries=none');
    expect(
      (
        await eventually(
          () => create(),
          ({ status }) => status === 201,
        )
      ).status,
    ).toBe(201);
  });
});
