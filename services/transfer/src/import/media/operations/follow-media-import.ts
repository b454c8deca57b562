import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import { addressKeyOf, selectAliases } from '../addresses/index.js';
import type { DownloadState } from '../media-download.entity.js';
import { fileNameOf } from '../media-address.js';
import {
  selectChangedDownloads,
  selectFinishedDownloads,
  selectImport,
  type ChangedDownload,
} from '../media.repository.js';
import type { MediaImportResult, MediaProgress } from '../media.schemas.js';

/** The result of a streamed import: its last line. */
export type MediaResultLine = { type: 'result' } & MediaImportResult;

/** Time between two looks at the rows, which grows while nothing changes. */
const minPauseMs = 200;
const maxPauseMs = 1_000;
/** A line is repeated when none was sent for so long: proxies end idle connections. */
const repeatAfterMs = 15_000;
/** Changes become visible at their commit, which may be later than their time. The last look reads all rows. */
const overlapMs = 2_000;

type Status = MediaProgress['status'];

/** The lines of a file until it has a state (contract 1.5). */
const linesUntil: Record<DownloadState, readonly Status[]> = {
  pending: [],
  downloading: ['downloading'],
  uploading: ['downloading', 'uploading'],
  done: ['downloading', 'uploading', 'done'],
  skipped: ['downloading', 'skipped'],
  failed: ['downloading', 'failed'],
};
const finalStates: ReadonlySet<DownloadState> = new Set(['done', 'skipped', 'failed']);
/** In place of the number of sent lines. */
const isFinished = 255;

/**
 * The progress of an import from its beginning, each change of a file one line, then its result. Workers make the
 * downloads: they go on when no client follows, and any number of clients may follow one import.
 * @throws QuireError STORAGE_QUOTA_EXCEEDED when the storage was full
 */
export async function* followMediaImport(
  ctx: Context,
  importId: string,
  signal: AbortSignal,
): AsyncGenerator<MediaProgress | MediaResultLine> {
  let report: ProgressReport | undefined;
  let last: MediaProgress | undefined;
  let sentAt = Date.now();
  let pauseMs = minPauseMs;
  for (;;) {
    // The state is read before the rows: once it is final, all of them are.
    const status = await selectImport(ctx.db, importId);
    if (!status) throw notFound('media import', importId);
    const { state, error, total } = status;
    report ??= new ProgressReport(total);
    const since = state === 'running' ? report.changedAt - overlapMs : undefined;
    const changed = await selectChangedDownloads(ctx.db, importId, since);
    const before = sentAt;
    for (const row of changed)
      for (const line of report.linesOf(row)) {
        yield (last = line);
        sentAt = Date.now();
      }
    if (state === 'failed' && error)
      throw new QuireError(error.code, error.message, { details: { ...error.details } });
    if (state !== 'running') break;
    if (last && Date.now() - sentAt >= repeatAfterMs) {
      yield last;
      sentAt = Date.now();
    }
    pauseMs = sentAt === before ? Math.min(maxPauseMs, pauseMs * 2) : minPauseMs;
    if (!(await isUndisturbed(pauseMs, signal))) return;
  }
  yield { type: 'result', ...(await mediaImportResult(ctx, importId)) };
}

/** Waits. @returns false when the client has gone */
async function isUndisturbed(ms: number, signal: AbortSignal): Promise<boolean> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}

/** The lines that were sent of each file. */
class ProgressReport {
  /** Time of the last change that was read. */
  changedAt = 0;
  private finished = 0;
  /** Number of lines sent of each file. */
  private readonly sent: Uint8Array;

  constructor(private readonly total: number) {
    this.sent = new Uint8Array(total + 1);
  }

  /** The lines of a change that have not been sent. A repeated attempt sends none. */
  linesOf({ number, state, error, changedAt, ...file }: ChangedDownload): MediaProgress[] {
    this.changedAt = Math.max(this.changedAt, changedAt);
    const sent = this.sent[number] ?? 0;
    if (sent === isFinished) return [];
    const all = linesUntil[state];
    const isFinal = finalStates.has(state);
    this.sent[number] = isFinal ? isFinished : Math.max(sent, all.length);
    const filename = fileNameOf(file);
    // A file that began to upload may be skipped or fail after that.
    return all.slice(isFinal ? Math.min(sent, all.length - 1) : sent).map((status) => {
      if (finalStates.has(status)) this.finished++;
      return {
        type: 'progress',
        current: number,
        total: this.total,
        percent: Math.floor((this.finished * 100) / this.total),
        filename,
        status,
        ...(status === 'failed' && error !== null && { error }),
      };
    });
  }
}

/** The files of a complete import, each once, in the order of the list. */
async function mediaImportResult(ctx: Context, importId: string): Promise<MediaImportResult> {
  const imported: MediaImportResult['imported'] = [];
  const failed: MediaImportResult['failed'] = [];
  for (const { legacyId, url, mediaId, newUrl, error } of await selectFinishedDownloads(ctx.db, importId)) {
    const file = { ...(legacyId !== null && { legacyId }), originalUrl: url };
    if (mediaId !== null && newUrl !== null) imported.push({ ...file, newUrl, mediaId });
    else failed.push({ ...file, error: error ?? '' });
  }
  return { imported, failed, urlMap: await urlMapOf(ctx, imported) };
}

/** The new addresses by the original ones, and by the other addresses that an export has shown of the files. */
async function urlMapOf(
  ctx: Context,
  imported: MediaImportResult['imported'],
): Promise<MediaImportResult['urlMap']> {
  const newUrlOf = new Map(imported.map(({ originalUrl, newUrl }) => [addressKeyOf(originalUrl), newUrl]));
  const aliases = await selectAliases(ctx.db, [...newUrlOf.keys()]);
  return Object.fromEntries([
    ...imported.map(({ originalUrl, newUrl }) => [originalUrl, newUrl]),
    ...aliases.map(({ ownKey, address }) => [address, newUrlOf.get(ownKey) ?? '']),
  ]);
}

/**
 * Waits for the end of an import.
 * @throws QuireError STORAGE_QUOTA_EXCEEDED when the storage was full, INVALID_REQUEST when the client has gone
 */
export async function awaitMediaImport(
  ctx: Context,
  importId: string,
  signal: AbortSignal,
): Promise<MediaImportResult> {
  for await (const line of followMediaImport(ctx, importId, signal)) {
    if (line.type === 'progress') continue;
    const { type: _, ...result } = line;
    return result;
  }
  throw new QuireError('INVALID_REQUEST', 'The client disconnected before the import was complete');
}
