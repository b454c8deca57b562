import { setTimeout as wait } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { manifestSchema, type Manifest } from '@quire/site-package';
import type { ApiResponse, Client, Site } from '@quire/testing';
import {
  downloadAs,
  exportsPath,
  filesOfArchive,
  sha256,
  type ArchivedFile,
} from '../api/transfer/support.js';
import type { FaultKind, Faults } from './faults.js';
import type { TestEnvironment } from './support.js';

const maxDelayMs = 40;
/** Time between two reads of a phase, and between two requests of a client. */
const phasePollMs = 10;
const requestDelayMs = 60;

/** An export or import of a site. */
export interface Transfer {
  site: Site;
  admin: Client;
  path: string;
}

export interface Operation {
  id: string;
  state: string;
  errorCode: string | null;
  packageDigest: string;
}

/** Sends a request that faults may break. @returns undefined for a request that is to be repeated */
export async function attempt(send: () => Promise<ApiResponse>): Promise<ApiResponse | undefined> {
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
export async function succeed(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (;;) {
    const response = await attempt(send);
    if (response) return response;
    await wait(requestDelayMs);
  }
}

const endStates = ['complete', 'abandoned', 'failed', 'expired'];

/**
 * Sends a request after the other until the operation has ended.
 * @param sendNext sends the request for the state
 * @returns the ended operation
 */
export async function driveToEnd(
  { admin, path }: Transfer,
  sendNext: (operation: Operation) => Promise<unknown>,
): Promise<Operation> {
  for (;;) {
    const { operation } = (await succeed(() => admin.get(path))).data as { operation: Operation };
    if (endStates.includes(operation.state)) return operation;
    await sendNext(operation);
    await wait(requestDelayMs);
  }
}

/** Starts an export. */
export async function startExport(site: Site): Promise<Transfer> {
  const admin = await site.as('admin');
  const { data } = await succeed(() => admin.post(exportsPath));
  return { site, admin, path: `${exportsPath}/${data.operation.id as string}` };
}

/** Takes the steps of an export, as its worker does too. */
export const driveExport = (transfer: Transfer): Promise<Operation> =>
  driveToEnd(transfer, () => attempt(() => transfer.admin.post(`${transfer.path}/advance`)));

/**
 * Downloads the package of a complete export, and compares it with its index.
 * @returns its files, the manifest first
 */
export async function downloadPackage({ site, admin, path }: Transfer): Promise<ArchivedFile[]> {
  const { status, bytes } = await downloadAs(site, admin, `${path}/archive`);
  expect(status).toBe(200);
  const files = filesOfArchive(bytes);
  const declared = files
    .filter((file) => file.path.startsWith('index/'))
    .flatMap((file) => file.bytes.toString().trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as object);
  const found = files.filter((file) => !/^(manifest\.json$|index\/)/.test(file.path));
  expect(
    found.map((file) => ({ path: file.path, bytes: file.bytes.length, sha256: sha256(file.bytes) })),
  ).toEqual(declared);
  return files;
}

/** Exports a site. @returns the files of the package, the manifest first */
export async function exportOf(site: Site): Promise<ArchivedFile[]> {
  const transfer = await startExport(site);
  expect(await driveExport(transfer)).toMatchObject({ state: 'complete', errorCode: null });
  return downloadPackage(transfer);
}

/** What is equal for equal content of a site; the users whom records name may differ. */
export function contentOf(files: readonly ArchivedFile[]) {
  const manifest: Manifest = manifestSchema.parse(JSON.parse(String(files[0]?.bytes)));
  const { principals, ...counts } = manifest.counts;
  const media = files.filter(({ path }) => path.startsWith('media/'));
  return {
    logicalDigest: manifest.logicalDigest,
    counts,
    principals,
    media: media.map(({ path, bytes }) => ({ path, sha256: sha256(bytes) })),
  };
}

/** Moments of transfers, and the faults that happen at them. */
export class FaultyTransfers {
  /** What happened, for the message of a failure. */
  readonly events: string[] = [];

  /** @param phases states and stages, in their order */
  constructor(
    private readonly testEnvironment: TestEnvironment,
    private readonly faults: Faults,
    private readonly random: () => number,
    private readonly phases: readonly string[],
  ) {}

  /** The place of a transfer in the phases; undefined at its end. */
  async phaseOf({ site, path }: Transfer): Promise<number | undefined> {
    const { rows } = await this.testEnvironment.sql.query<{ state: string; stage: string | null }>(
      `SELECT state, stage FROM "${site.schema}".transfer_operations WHERE id = $1`,
      [path.split('/').at(-1)],
    );
    const { state = '', stage = null } = rows[0] ?? {};
    if (endStates.includes(state)) return undefined;
    return this.phases.indexOf(this.phases.includes(state) ? state : (stage ?? state));
  }

  /**
   * Lets the faults happen, each at a random moment of a random phase, while the transfer goes on. All processes run
   * again then.
   * @param lastPhase of the transfer
   * @returns the end of the transfer, and the faults that came too late
   */
  async run(
    transfer: Transfer,
    {
      kinds,
      lastPhase,
      drive,
    }: { kinds: readonly FaultKind[]; lastPhase: number; drive: Promise<Operation> },
  ): Promise<{ operation: Operation; left: FaultKind[] }> {
    const [operation, left] = await Promise.all([drive, this.strike(transfer, kinds, lastPhase)]);
    await this.faults.end();
    await this.faults.endLeases();
    this.events.push(`${operation.state} ${String(operation.errorCode)}`);
    expect(operation.errorCode).toBeNull();
    return { operation, left };
  }

  /** The error of a test, with what happened before. */
  described(error: unknown): Error {
    const message = error instanceof Error ? error.message : String(error);
    return new Error(`${this.events.join('\n')}\n${message}`, { cause: error });
  }

  private async strike(
    transfer: Transfer,
    kinds: readonly FaultKind[],
    lastPhase: number,
  ): Promise<FaultKind[]> {
    const moments = kinds
      .map((kind) => ({
        kind,
        phase: Math.floor(this.random() * (lastPhase + 1)),
        delayMs: this.random() * maxDelayMs,
      }))
      .sort((left, right) => left.phase - right.phase);
    for (const [index, { kind, phase, delayMs }] of moments.entries()) {
      if (!(await this.isReached(transfer, phase))) return moments.slice(index).map((each) => each.kind);
      await wait(delayMs);
      this.events.push(`${this.phases[(await this.phaseOf(transfer)) ?? -1] ?? 'end'}: ${kind}`);
      await this.faults.strike(kind);
    }
    return [];
  }

  /** Waits until a transfer has reached a phase. @returns false when it has ended before */
  private async isReached(transfer: Transfer, phase: number): Promise<boolean> {
    for (;;) {
      const present = await this.phaseOf(transfer);
      if (present === undefined) return false;
      if (present >= phase) return true;
      await wait(phasePollMs);
    }
  }
}
