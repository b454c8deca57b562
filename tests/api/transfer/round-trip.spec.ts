import { beforeAll, describe, expect, it } from '@jest/globals';
import { manifestSchema, recordDefinitions, type RecordKind } from '@quire/site-package';
import { eventually, useSite, type Client } from '@quire/testing';
import { fillSite } from './full-site.js';
import {
  advanceToEnd,
  analyzeToPlan,
  downloadAs,
  exportsPath,
  exportSite,
  filesOfArchive,
  importsPath,
  recordsIn,
  sha256,
  uploadPackage,
  type ArchivedFile,
} from './support.js';

const source = useSite();
const target = useSite();
let from: Client;
let to: Client;
let files: ArchivedFile[];

async function downloadArchive(site: typeof source, client: Client): Promise<ArchivedFile[]> {
  const { operation } = await exportSite(client);
  const archive = await downloadAs(site, client, `${exportsPath}/${operation.id}/archive`);
  return filesOfArchive(archive.bytes);
}

const manifestOf = ([manifest]: ArchivedFile[]) =>
  manifestSchema.parse(JSON.parse(manifest?.bytes.toString() ?? ''));

/** The records of a kind without users, who differ between sites. */
const comparedRecords = (archive: ArchivedFile[], kind: RecordKind) =>
  kind === 'principals'
    ? []
    : recordsIn(archive, kind).map((record) =>
        Object.fromEntries(
          Object.entries(record).filter(
            ([property]) => !recordDefinitions[kind].principals.includes(property),
          ),
        ),
      );

beforeAll(async () => {
  from = await source.as('admin');
  to = await target.as('admin');
  await fillSite(from);
  files = await downloadArchive(source, from);
});

describe('an import of the package of another site (spec document 1, Site transfer)', () => {
  it('writes the whole site, verifies it, and another export has the same logical digest', async () => {
    const { id, packageDigest } = await uploadPackage(to, files);
    const { plan, planDigest } = await analyzeToPlan(to, id);
    expect(plan.blockers).toEqual([]);
    expect(plan.counts).toEqual(manifestOf(files).counts);
    const started = await to.post(`${importsPath}/${id}/execute`, { packageDigest, planDigest });
    expect([started.status, started.data.operation.state]).toEqual([200, 'running']);
    const { operation } = await advanceToEnd(to, id);
    expect([operation.state, operation.error]).toEqual(['complete', null]);
    const { receipt } = (await to.get(`${importsPath}/${id}/receipt`)).data;
    const { logicalDigest, counts } = manifestOf(files);
    expect(receipt).toMatchObject({ logicalDigest, verification: 'verified', packageDigest, planDigest });
    const again = await downloadArchive(target, to);
    for (const kind of Object.keys(counts) as RecordKind[])
      expect([kind, comparedRecords(again, kind)]).toEqual([kind, comparedRecords(files, kind)]);
    expect(manifestOf(again).logicalDigest).toBe(logicalDigest);
  });

  it('leaves a site on which all operations work', async () => {
    const { items } = (await to.get('/content/things?limit=100')).data as {
      items: { id: string; slug: string }[];
    };
    expect(items.map(({ slug }) => slug).sort()).toEqual(['erste', 'first', 'second']);
    const first = items.find(({ slug }) => slug === 'first')!;
    expect(first).toMatchObject({ slug: 'first', status: 'published' });
    const published = await to.post(`/content/things/${first.id}/publish`, {});
    expect([published.status, published.data.item.slug]).toEqual([200, 'first-moved']);
    const image = (await to.get('/media?limit=1')).data.items[0];
    const served = await downloadAs(target, to, (image.url as string).replace('/_cms/api', ''));
    const [media] = recordsIn(files, 'media_items');
    expect(sha256(served.bytes)).toBe(media?.sha256);
    const field = { slug: 'added', label: 'Added', type: 'string' };
    expect((await to.post('/schema/collections/things/fields', field)).status).toBe(201);
    const created = await to.post('/content/things', { data: { title: 'After the import', code: 'c-9' } });
    expect(created.status).toBe(201);
    const taken = await to.post('/content/things', { data: { title: 'Taken', code: 'c-1' } });
    expect(taken.status).toBe(409);
    await to.post('/search/enable', { collection: 'things', enabled: true });
    await eventually(
      async () => (await to.get('/search?q=import&collections=things')).data.items.length as number,
      (count) => count === 1,
    );
  });

  it('is not possible again: the site is not empty', async () => {
    const { id } = await uploadPackage(to, files);
    const { plan } = await analyzeToPlan(to, id);
    const codes = (plan.blockers as { code: string }[]).map(({ code }) => code);
    expect(codes).toContain('target_not_empty');
    const { data } = await to.get(`${importsPath}/${id}/plan`);
    const { packageDigest } = data.plan;
    const refused = await to.post(`${importsPath}/${id}/execute`, {
      packageDigest,
      planDigest: data.planDigest,
    });
    expect([refused.status, refused.error.code]).toEqual([409, 'TRANSFER_PLAN_BLOCKED']);
    expect((await to.post(`${importsPath}/${id}/cancel`)).data.operation.state).toBe('cancelled');
  });
});
