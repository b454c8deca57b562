import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { manifestSchema, type Manifest } from '@quire/site-package';
import {
  createTcpProxy,
  testS3,
  type ApiResponse,
  type Client,
  type Site,
  type TcpProxy,
} from '@quire/testing';
import { fillSite } from '../api/transfer/full-site.js';
import {
  downloadAs,
  exportsPath,
  filesOfArchive,
  importsPath,
  sha256,
  type ArchivedFile,
} from '../api/transfer/support.js';
import { faultKinds, Faults, randomNumbers, shuffled, type FaultKind } from './faults.js';
import { closeEnvironments, TestEnvironment, waitUntil } from './support.js';

/** Faults of each kind, and those that one import meets. */
const faultsOfKind = 20;
const faultsOfImport = 10;
const maxDelayMs = 40;
const pollMs = 5;
/** On a machine that is busy. */
const timeoutMs = 900_000;

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
const firstExecutionPhase = phases.indexOf('reserve');
const endStates = ['complete', 'abandoned', 'failed'];

let testEnvironment: TestEnvironment;
let store: TcpProxy;
let files: ArchivedFile[];
let manifest: Manifest;
let faults: Faults;
let random: () => number;
/** What happened, for the message of a failure. */
let events: string[];

/** An import, and the site that receives it. */
interface Run {
  site: Site;
  admin: Client;
  path: string;
  /** The phase in which a user cancels it. */
  cancelAt: number | undefined;
}

/** Sends a request that faults may break. @returns undefined for a request that is to be repeated */
async function attempt(send: () => Promise<ApiResponse>): Promise<ApiResponse | undefined> {
  try {
    const response = await send();
    if (response.status < 300) return response;
    // The response to an earlier attempt was lost.
    const isDone = response.status === 409 && response.error.code === 'TRANSFER_INVALID_STATE';
    if (response.status === 503 || isDone) return undefined;
    throw new Error(`${response.status} ${response.text}`);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code === 'string' && /^(ECONN|EPIPE|UND_ERR)/.test(code)) return undefined;
    throw error;
  }
}

/** Repeats a request until it succeeds. */
async function succeed(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (;;) {
    const response = await attempt(send);
    if (response) return response;
    await wait(pollMs);
  }
}

const operationOf = async ({ admin, path }: Run) => (await succeed(() => admin.get(path))).data.operation;

/** The place of an import in `phases`; undefined at its end. */
async function phaseOf({ site, path }: Run): Promise<number | undefined> {
  const { rows } = await testEnvironment.sql.query<{ state: string; stage: string | null }>(
    `SELECT state, stage FROM "${site.schema}".transfer_operations WHERE id = $1`,
    [path.split('/').at(-1)],
  );
  const { state = '', stage = null } = rows[0] ?? {};
  return endStates.includes(state)
    ? undefined
    : phases.indexOf(state === 'cancelled' ? state : (stage ?? state));
}

async function createImport(site: Site, cancelAt?: number): Promise<Run> {
  const admin = await site.as('admin');
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': randomBytes(8).toString('hex'),
  };
  const rawBody = files[0]?.bytes ?? '';
  const { data } = await succeed(() => admin.post(importsPath, undefined, { headers, rawBody }));
  return { site, admin, cancelAt, path: `${importsPath}/${data.operation.id as string}` };
}

/** Requests of a client, each repeated until the import has ended. @returns its last state */
async function driveToEnd(run: Run) {
  for (;;) {
    const operation = await operationOf(run);
    if (endStates.includes(operation.state as string)) return operation;
    await sendNext(run, operation);
    await wait(pollMs);
  }
}

async function sendNext(run: Run, { state, packageDigest }: { state: string; packageDigest: string }) {
  const { admin, path, cancelAt } = run;
  const phase = await phaseOf(run);
  if (cancelAt !== undefined && phase !== undefined && phase >= cancelAt && state !== 'cancelled')
    return attempt(() => admin.post(`${path}/cancel`));
  if (state === 'uploading') return uploadMissing(run);
  if (state === 'analyzing') return attempt(() => admin.post(`${path}/analyze`));
  if (state === 'cancelled') return attempt(() => admin.post(`${path}/abandon`));
  if (state !== 'planned') return attempt(() => admin.post(`${path}/advance`));
  const { plan, planDigest } = (await succeed(() => admin.get(`${path}/plan`))).data;
  expect(plan.blockers).toEqual([]);
  return attempt(() => admin.post(`${path}/execute`, { packageDigest, planDigest }));
}

async function uploadMissing({ admin, path }: Run): Promise<unknown> {
  const { items } = (await succeed(() => admin.get(`${path}/missing?limit=100`))).data as {
    items: { path: string }[];
  };
  if (items.length === 0) return attempt(() => admin.post(`${path}/analyze`));
  return Promise.all(items.map((file) => attempt(() => upload(admin, path, file.path))));
}

function upload(admin: Client, path: string, name: string): Promise<ApiResponse> {
  const rawBody = files.find((file) => file.path === name)?.bytes ?? Buffer.alloc(0);
  return admin.put(`${path}/files/${name}`, undefined, {
    headers: { 'content-type': 'application/octet-stream' },
    rawBody,
  });
}

/** Lets the faults happen, each in a random phase of the import. @returns those that came too late */
async function strikeDuring(run: Run, kinds: readonly FaultKind[]): Promise<FaultKind[]> {
  const last = phases.length - (run.cancelAt === undefined ? 2 : 1);
  const moments = kinds
    .map((kind) => ({ kind, phase: Math.floor(random() * (last + 1)), delayMs: random() * maxDelayMs }))
    .sort((left, right) => left.phase - right.phase);
  for (const [index, { kind, phase, delayMs }] of moments.entries()) {
    if (!(await isReached(run, phase))) return moments.slice(index).map((each) => each.kind);
    await wait(delayMs);
    events.push(`${phases[(await phaseOf(run)) ?? -1] ?? 'end'}: ${kind}`);
    await faults.strike(kind);
  }
  return [];
}

/** Waits until an import has reached a phase. @returns false when it has ended before */
async function isReached(run: Run, phase: number): Promise<boolean> {
  for (;;) {
    const present = await phaseOf(run);
    if (present === undefined) return false;
    if (present >= phase) return true;
    await wait(pollMs);
  }
}

/** Exports a site. @returns the files of the package */
async function exportOf(site: Site, admin: Client): Promise<ArchivedFile[]> {
  const { data } = await succeed(() => admin.post(exportsPath));
  const path = `${exportsPath}/${data.operation.id as string}`;
  for (;;) {
    const { operation } = (await succeed(() => admin.post(`${path}/advance`))).data;
    if (operation.state === 'complete') break;
    expect(operation.errorCode).toBeNull();
    await wait(pollMs);
  }
  return filesOfArchive((await downloadAs(site, admin, `${path}/archive`)).bytes);
}

const manifestOf = ([first]: ArchivedFile[]) => manifestSchema.parse(JSON.parse(String(first?.bytes)));
/** Users of the exported site are none of the other one. */
const recordCounts = ({ counts: { principals: _, ...counts } }: Manifest) => counts;
const mediaOf = (archive: ArchivedFile[]) =>
  archive.filter(({ path }) => path.startsWith('media/')).map(({ path, bytes }) => [path, sha256(bytes)]);

/** The site has each record of the package once, with the bytes of its media, and the receipt says so. */
async function expectImported({ site, admin, path }: Run): Promise<void> {
  const { receipt } = (await succeed(() => admin.get(`${path}/receipt`))).data;
  const { logicalDigest } = manifest;
  const packageDigest = `sha256:${sha256(files[0]?.bytes ?? Buffer.alloc(0))}`;
  expect(receipt).toMatchObject({ logicalDigest, packageDigest, verification: 'verified' });
  const archive = await exportOf(site, admin);
  const exported = manifestOf(archive);
  expect([exported.logicalDigest, recordCounts(exported)]).toEqual([logicalDigest, recordCounts(manifest)]);
  expect(mediaOf(archive)).toEqual(mediaOf(files));
}

/** The site has no record and accepts writes. */
async function expectEmpty({ admin }: Run): Promise<void> {
  const { portableDomain } = (await succeed(() => admin.get('/admin/transfer/capabilities'))).data;
  expect(portableDomain).toMatchObject({ empty: true, blockers: [] });
}

async function expectWritable({ admin }: Run): Promise<void> {
  await waitUntil(
    'the site is writable',
    async () =>
      (await attempt(() => admin.put('/settings', { tagline: 'After the transfer' })))?.status === 200,
    60_000,
  );
}

async function openSystem(): Promise<void> {
  const s3 = testS3();
  store = await createTcpProxy(s3.endpoint);
  testEnvironment = await TestEnvironment.open({
    arrangement: 'transfer-separate',
    s3: { ...s3, endpoint: new URL(store.url).origin },
  });
  const source = await testEnvironment.openSite();
  const admin = await source.as('admin');
  await fillSite(admin);
  files = await exportOf(source, admin);
  manifest = manifestOf(files);
}

/** One import that meets faults, on an empty site. @returns whether the site is empty again, and the faults that are left */
async function importDuring(site: Site, kinds: readonly FaultKind[], cancelAt: number | undefined) {
  const run = await createImport(site, cancelAt);
  const [operation, left] = await Promise.all([driveToEnd(run), strikeDuring(run, kinds)]);
  await faults.end();
  await faults.endLeases();
  events.push(`${operation.state as string} ${String(operation.errorCode)}`);
  expect(operation).toMatchObject({ errorCode: null });
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
    `is complete or abandoned as a whole when worker, API, database and object store are killed ${faultsOfKind} times each`,
    async () => {
      const seed = randomBytes(4).toString('hex');
      events = [`seed ${seed}`];
      random = randomNumbers(seed);
      await openSystem();
      faults = new Faults(testEnvironment, store, random);
      let pending = shuffled(
        faultKinds.flatMap((kind) => Array<FaultKind>(faultsOfKind).fill(kind)),
        random,
      );
      let site: Site | undefined;
      try {
        for (let round = 0; pending.length > 0; round += 1) {
          site ??= await testEnvironment.openSite();
          const cancelAt =
            round % 3 === 2
              ? firstExecutionPhase + Math.floor(random() * (phases.length - 1 - firstExecutionPhase))
              : undefined;
          const { isEmpty, left } = await importDuring(site, pending.slice(0, faultsOfImport), cancelAt);
          pending = [...left, ...pending.slice(faultsOfImport)];
          if (!isEmpty) site = undefined;
        }
      } catch (error) {
        throw new Error(`${events.join('\n')}\n${(error as Error).message}`, { cause: error });
      }
    },
    timeoutMs,
  );
});
