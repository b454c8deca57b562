import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createTcpProxy,
  testS3,
  type ApiResponse,
  type Client,
  type Site,
  type TcpProxy,
} from '@quire/testing';
import { fillSite } from '../api/transfer/full-site.js';
import { importsPath, sha256, type ArchivedFile } from '../api/transfer/support.js';
import { FaultQueue, Faults, randomNumbers, type FaultKind } from './faults.js';
import { closeEnvironments, TestEnvironment, waitUntil } from './support.js';
import {
  attempt,
  contentOf,
  driveToEnd,
  exportOf,
  FaultyTransfers,
  succeed,
  type Operation,
  type Transfer,
} from './transfers.js';

/** Faults of each kind. */
const kills = 20;
/** On a machine that is busy. */
const timeoutMs = 1_800_000;

/** What an import does in turn. A cancelled one is abandoned. */
const phases = [
  'uploading',
  ...['analyze_structure', 'analyze_records', 'analyze_references', 'analyze_target', 'planned'],
  ...[
    'reserve',
    'clear_scaffold',
    'schema',
    'media',
    'terms_bylines',
    'content',
    'relations',
    'presentation',
  ],
  ...['rebuild', 'verify', 'cancelled'],
];
const [reserve, verify, cancelled] = ['reserve', 'verify', 'cancelled'].map((phase) =>
  phases.indexOf(phase),
) as [number, number, number];

let testEnvironment: TestEnvironment;
let store: TcpProxy;
/** The package that is imported. */
let files: ArchivedFile[];
let transfers: FaultyTransfers;

/** An import. A user cancels it in a phase, if one is given, and abandons it. */
type Import = Transfer & { cancelAt: number | undefined };

async function openSystem(): Promise<void> {
  const s3 = testS3();
  store = await createTcpProxy(s3.endpoint);
  testEnvironment = await TestEnvironment.open({
    arrangement: 'transfer-separate',
    s3: { ...s3, endpoint: new URL(store.url).origin },
  });
  const source = await testEnvironment.openSite();
  await fillSite(await source.as('admin'));
  files = await exportOf(source);
}

async function createImport(site: Site, cancelAt: number | undefined): Promise<Import> {
  const admin = await site.as('admin');
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomBytes(8).toString('hex') };
  const rawBody = files[0]?.bytes ?? '';
  const { data } = await succeed(() => admin.post(importsPath, undefined, { headers, rawBody }));
  return { site, admin, cancelAt, path: `${importsPath}/${data.operation.id as string}` };
}

/** The next request of a client that imports the package. */
async function sendNext(run: Import, { state, packageDigest }: Operation): Promise<unknown> {
  const { admin, path, cancelAt } = run;
  if (state === 'cancelled') return attempt(() => admin.post(`${path}/abandon`));
  if (cancelAt !== undefined && ((await transfers.phaseOf(run)) ?? -1) >= cancelAt)
    return attempt(() => admin.post(`${path}/cancel`));
  if (state === 'uploading') return uploadMissing(run);
  if (state === 'analyzing') return attempt(() => admin.post(`${path}/analyze`));
  if (state !== 'planned') return attempt(() => admin.post(`${path}/advance`));
  const { plan, planDigest } = (await succeed(() => admin.get(`${path}/plan`))).data;
  expect(plan.blockers).toEqual([]);
  return attempt(() => admin.post(`${path}/execute`, { packageDigest, planDigest }));
}

async function uploadMissing({ admin, path }: Import): Promise<unknown> {
  const { items } = (await succeed(() => admin.get(`${path}/missing?limit=100`))).data as {
    items: { path: string }[];
  };
  if (items.length === 0) return attempt(() => admin.post(`${path}/analyze`));
  return Promise.all(items.map((file) => attempt(() => upload(admin, path, file.path))));
}

function upload(admin: Client, path: string, name: string): Promise<ApiResponse> {
  const rawBody = files.find((file) => file.path === name)?.bytes ?? Buffer.alloc(0);
  const headers = { 'content-type': 'application/octet-stream' };
  return admin.put(`${path}/files/${name}`, undefined, { headers, rawBody });
}

/** The receipt has the digests of the package, and the site has each of its records once and the bytes of its media. */
async function expectImported({ site, admin, path }: Import): Promise<void> {
  const { receipt } = (await succeed(() => admin.get(`${path}/receipt`))).data;
  const { principals: _, ...expected } = contentOf(files);
  expect(receipt).toMatchObject({
    logicalDigest: expected.logicalDigest,
    packageDigest: `sha256:${sha256(files[0]?.bytes ?? Buffer.alloc(0))}`,
    verification: 'verified',
  });
  expect(contentOf(await exportOf(site))).toMatchObject(expected);
}

/** Only records of the default seed are left, if any. */
async function expectEmpty({ admin }: Import): Promise<void> {
  const { portableDomain } = (await succeed(() => admin.get('/admin/transfer/capabilities'))).data;
  expect(portableDomain).toMatchObject({ empty: true, blockers: [] });
}

/** The fence is lifted by a worker when a request was interrupted. A process may miss the change for a minute. */
async function expectWritable({ admin }: Import): Promise<void> {
  const write = () => attempt(() => admin.put('/settings', { tagline: 'After the transfer' }));
  await waitUntil('the site is writable', write, 180_000);
}

/**
 * An import of the package into an empty site, during faults.
 * @returns whether the site is empty again, and the faults that came too late
 */
async function importDuring(site: Site, kinds: readonly FaultKind[], cancelAt: number | undefined) {
  const run = await createImport(site, cancelAt);
  const { operation, left } = await transfers.run(run, {
    kinds,
    lastPhase: cancelAt === undefined ? verify : cancelled,
    drive: driveToEnd(run, (present) => sendNext(run, present)),
  });
  const isImported = operation.state === 'complete';
  await (isImported ? expectImported(run) : expectEmpty(run));
  await expectWritable(run);
  return { isEmpty: !isImported, left };
}

afterEach(async () => {
  await closeEnvironments();
  await store?.disconnect();
});

describe('an import of a whole site', () => {
  it(
    `is complete or abandoned when worker, API, database and object store are killed ${kills} times each`,
    async () => {
      const seed = randomBytes(4).toString('hex');
      const random = randomNumbers(seed);
      await openSystem();
      transfers = new FaultyTransfers(
        testEnvironment,
        new Faults(testEnvironment, store, random),
        random,
        phases,
      );
      transfers.events.push(`seed ${seed}`);
      const queue = new FaultQueue({ worker: kills, api: kills, database: kills, store: kills }, random);
      let site: Site | undefined;
      try {
        for (let round = 0; !queue.isEmpty; round += 1) {
          site ??= await testEnvironment.openSite();
          const isCancelled = round % 3 === 2;
          const cancelAt = isCancelled ? reserve + Math.floor(random() * (cancelled - reserve)) : undefined;
          const { isEmpty, left } = await importDuring(site, queue.take(), cancelAt);
          queue.putBack(left);
          if (!isEmpty) site = undefined;
        }
      } catch (error) {
        throw transfers.described(error);
      }
    },
    timeoutMs,
  );
});
