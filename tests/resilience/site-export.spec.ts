import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createImage, createTcpProxy, testS3, uploadFile, type Site, type TcpProxy } from '@quire/testing';
import { sha256 } from '../api/transfer/support.js';
import { FaultQueue, Faults, randomNumbers } from './faults.js';
import { closeEnvironments, sendUntilAvailable, TestEnvironment } from './support.js';
import {
  contentOf,
  downloadPackage,
  driveExport,
  exportOf,
  FaultyTransfers,
  startExport,
} from './transfers.js';

const entries = 300;
const kills = 20;
/** A killed process that serves requests is a part of the tests of imports too. */
const killsOfApi = 5;
/** On a machine that is busy. */
const timeoutMs = 1_800_000;

const phases = ['pending', 'export_records', 'export_media', 'export_finalize', 'export_validate'];

let testEnvironment: TestEnvironment;
let store: TcpProxy;

/** Opens a system with a site of some hundred entries and a few media. */
async function openSystem(): Promise<Site> {
  const s3 = testS3();
  store = await createTcpProxy(s3.endpoint);
  testEnvironment = await TestEnvironment.open({
    arrangement: 'transfer-separate',
    s3: { ...s3, endpoint: new URL(store.url).origin },
  });
  const site = await testEnvironment.openSite();
  const admin = await site.as('admin');
  const posts = await site.collection({ fields: [{ slug: 'title', type: 'string' }] });
  for (let start = 0; start < entries; start += 20) {
    const slugs = Array.from({ length: 20 }, (_, index) => `entry-${start + index}`);
    await Promise.all(
      slugs.map((slug) => sendUntilAvailable(() => admin.post(posts.path, { slug, data: { title: slug } }))),
    );
  }
  for (let width = 10; width < 15; width += 1)
    await uploadFile(admin, { bytes: await createImage({ width, height: 9 }), type: 'image/png' });
  return site;
}

afterEach(async () => {
  await closeEnvironments();
  await store?.disconnect();
});

describe('POST admin/transfer/exports while processes and stores fail', () => {
  it(
    `exports the same package when worker, database and object store are killed ${kills} times each`,
    async () => {
      const seed = randomBytes(4).toString('hex');
      const random = randomNumbers(seed);
      const site = await openSystem();
      const faults = new Faults(testEnvironment, store, random);
      const transfers = new FaultyTransfers(testEnvironment, faults, random, phases);
      transfers.events.push(`seed ${seed}`);
      const undisturbed = contentOf(await exportOf(site));
      expect(undisturbed.counts).toMatchObject({ entries, media_items: 5 });
      const queue = new FaultQueue({ worker: kills, api: killsOfApi, database: kills, store: kills }, random);
      try {
        while (!queue.isEmpty) {
          const transfer = await startExport(site);
          const { operation, left } = await transfers.run(transfer, {
            kinds: queue.take(),
            lastPhase: phases.length - 1,
            drive: driveExport(transfer),
          });
          queue.putBack(left);
          const files = await downloadPackage(transfer);
          expect(operation.packageDigest).toBe(`sha256:${sha256(files[0]?.bytes ?? Buffer.alloc(0))}`);
          expect(contentOf(files)).toEqual(undisturbed);
        }
      } catch (error) {
        throw transfers.described(error);
      }
    },
    timeoutMs,
  );
});
