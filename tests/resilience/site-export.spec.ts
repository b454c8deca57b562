import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createImage, uploadFile, type Client, type Site } from '@quire/testing';
import { request } from 'undici';
import { closeEnvironments, sendUntilAvailable, TestEnvironment, waitUntil } from './support.js';

const kills = 20;
const entries = 300;
const exportsPath = '/admin/transfer/exports';

let testEnvironment: TestEnvironment;
let site: Site;
let admin: Client;

/** Opens a system with a site of some hundred entries and a few media. */
async function openSystem(arrangement: 'no-workers' | 'single'): Promise<void> {
  testEnvironment = await TestEnvironment.open({ arrangement });
  site = await testEnvironment.openSite();
  admin = await site.as('admin');
  const posts = await site.collection({ fields: [{ slug: 'title', type: 'string' }] });
  for (let start = 0; start < entries; start += 20) {
    const slugs = Array.from({ length: 20 }, (_, index) => `entry-${start + index}`);
    await Promise.all(
      slugs.map((slug) => sendUntilAvailable(() => admin.post(posts.path, { slug, data: { title: slug } }))),
    );
  }
  for (let width = 10; width < 15; width += 1)
    await uploadFile(admin, { bytes: await createImage({ width, height: 9 }), type: 'image/png' });
}

/** Starts an export. @returns its path */
async function startExport(): Promise<string> {
  const { data } = await sendUntilAvailable(() => admin.post(exportsPath));
  return `${exportsPath}/${data.operation.id as string}`;
}

async function awaitEnd(path: string) {
  const data = await waitUntil(
    'the export has ended',
    async () => {
      const { data: found } = await admin.get(path);
      return ['complete', 'failed'].includes(found?.operation.state as string) && found;
    },
    60_000,
  );
  expect([data.operation.state, data.operation.errorCode]).toEqual(['complete', null]);
  return data;
}

async function download(path: string): Promise<Buffer> {
  const { system, host } = site;
  const response = await request(`${system.origin}/_cms/api${path}`, {
    headers: { host, authorization: `Bearer ${admin.token}` },
  });
  expect([path, response.statusCode]).toEqual([path, 200]);
  return Buffer.from(await response.body.arrayBuffer());
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

interface File {
  path: string;
  bytes: number;
  sha256: string;
}

/** Reads a file of a package, and compares it with its declaration. */
async function readFile(path: string, file: File): Promise<Buffer> {
  const bytes = await download(`${path}/files/${file.path}`);
  expect([file.path, bytes.length, sha256(bytes)]).toEqual([file.path, file.bytes, file.sha256]);
  return bytes;
}

/** Waits for an export, and reads its whole package. @returns what is equal for equal content */
async function readPackage(path: string) {
  const { operation } = await awaitEnd(path);
  const text = await download(`${path}/manifest`);
  expect(operation.packageDigest).toBe(`sha256:${sha256(text)}`);
  const manifest = JSON.parse(text.toString()) as { logicalDigest: string; counts: object; index: File[] };
  for (const part of manifest.index) {
    const lines = (await readFile(path, part)).toString().trimEnd().split('\n');
    for (const line of lines) await readFile(path, JSON.parse(line) as File);
  }
  const { logicalDigest, counts } = manifest;
  expect(counts).toMatchObject({ entries, media_items: 5 });
  return { logicalDigest, counts };
}

/** The lease of a killed process ends: tests do not wait for it. */
const endLease = () =>
  testEnvironment.sql.query(
    'UPDATE cms_transfer.transfer_steps SET lease_expires_at = now(), due_at = now()',
  );

/** Empties the copies, as the recovery of the database does with unlogged tables. */
async function emptyCopies(): Promise<void> {
  const { rows } = await testEnvironment.sql.query<{ name: string }>(
    "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND starts_with(relname, 'staged_records_')",
  );
  expect(rows).not.toEqual([]);
  await testEnvironment.sql.query(`TRUNCATE ${rows.map(({ name }) => name).join(', ')}`);
}

afterEach(closeEnvironments);

describe('POST admin/transfer/exports while processes fail', () => {
  it(`exports the same package when its workers are killed at ${kills} moments`, async () => {
    await openSystem('no-workers');
    let { pid } = await testEnvironment.control<{ pid: number }>('/workers/start');
    const undisturbed = await readPackage(await startExport());
    const disturbed: string[] = [];
    let interrupted = 0;
    for (let round = 0; round < kills; round += 1) {
      const path = await startExport();
      disturbed.push(path);
      await wait(Math.random() * 150);
      process.kill(pid, 'SIGKILL');
      if (['pending', 'running'].includes((await admin.get(path)).data.operation.state as string))
        interrupted += 1;
      ({ pid } = await testEnvironment.control<{ pid: number }>('/workers/start'));
      await endLease();
    }
    for (const path of disturbed) expect(await readPackage(path)).toEqual(undisturbed);
    expect(interrupted).toBeGreaterThan(2);
  }, 300_000);

  it('goes on when the process that serves requests and takes the steps is killed', async () => {
    await openSystem('single');
    const undisturbed = await readPackage(await startExport());
    const path = await startExport();
    const server = await testEnvironment.server();
    process.kill(server.pid, 'SIGKILL');
    await wait(500);
    await testEnvironment.control('/targets/start', server);
    await endLease();
    expect(await readPackage(path)).toEqual(undisturbed);
  }, 180_000);

  it('exports the same package when the database crashes, which empties the copies', async () => {
    await openSystem('single');
    const undisturbed = await readPackage(await startExport());
    for (let crash = 0; crash < 3; crash += 1) {
      const path = await startExport();
      await wait(Math.random() * 200);
      await testEnvironment.database.disconnect();
      await emptyCopies();
      await testEnvironment.database.restore();
      await waitUntil('the system responds', async () => (await admin.get(exportsPath)).status === 200);
      await endLease();
      expect(await readPackage(path)).toEqual(undisturbed);
    }
  }, 180_000);
});
