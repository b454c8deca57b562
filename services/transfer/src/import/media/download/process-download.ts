import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { mediaApi } from '@quire/internal-api';
import { ObjectStoreFull, ObjectStoreUnavailable } from '@quire/object-store';
import type { InternalApiClient } from '@quire/service-client';
import { describeFullStorage } from '../../../clients/index.js';
import {
  downloadTasks,
  maxSlots,
  recordResponse,
  recordSilence,
  throttleHost,
  type LeasedDownload,
} from '../download-tasks.repository.js';
import { fileNameOf } from '../media-address.js';
import {
  completeImport,
  countTry,
  endDownload,
  failHost,
  failImport,
  markUploading,
  startDownload,
  type DownloadEnd,
  type StartedDownload,
} from '../media.repository.js';
import { DownloadFailure } from './download-failure.js';
import { fetchFile, type FetchFileDeps, type FetchedFile } from './fetch-file.js';
import type { ReservedKeys } from './reserved-keys.js';

/** Attempts of a download that fails through its source. */
const maxTries = 3;
/** Attempts of a download with an unexpected error. Outages of the installation are waited for. */
const maxFaults = 10;
/** A file that arrives sooner is not marked as uploading. */
const shortTransferMs = 200;
/** The failure of a file where the user can do nothing. */
const notImported = 'The file could not be imported';

export interface DownloadDeps extends FetchFileDeps {
  media: InternalApiClient;
  keys: ReservedKeys;
}

/**
 * Makes one leased download: stores its file, makes a media item of it, and records the result with the end of the
 * lease in one transaction. Interrupted anywhere it is repeated by another worker: bytes without an item are deleted
 * by the media service, and an item without a result is found again by its id and bytes.
 * @param signal aborts when the lease is lost or the worker stops
 * @throws Error of the installation (database, store, media service): the download is to be rescheduled
 */
export async function processDownload(
  ctx: Context,
  deps: DownloadDeps,
  leased: LeasedDownload,
  signal: AbortSignal,
): Promise<void> {
  const download = await startDownload(ctx.db, leased);
  if (!download) return void (await downloadTasks.complete(ctx.db, leased));
  try {
    await end(ctx, leased, await performDownload(ctx, deps, { leased, download, signal }));
    if (leased.slots < maxSlots || leased.failures > 0) await recordResponse(ctx.db, leased, 1);
  } catch (error) {
    if (error instanceof DownloadFailure) await recordFailure(ctx, leased, error);
    else if (error instanceof ObjectStoreFull) await stopImport(ctx, deps, leased);
    else if (signal.aborted || isOutage(error) || leased.attempts < maxFaults) throw error;
    else await end(ctx, leased, { state: 'failed', error: notImported });
  }
}

const isOutage = (error: unknown): boolean =>
  error instanceof ObjectStoreUnavailable ||
  (error instanceof QuireError && error.code === 'SERVICE_UNAVAILABLE');

interface Performed {
  leased: LeasedDownload;
  download: StartedDownload;
  signal: AbortSignal;
}

async function performDownload(ctx: Context, deps: DownloadDeps, performed: Performed): Promise<DownloadEnd> {
  const { leased, download, signal } = performed;
  const { knownMediaId, url, urlHash } = download;
  const known = knownMediaId === null ? undefined : await storedFile(ctx, deps, knownMediaId);
  if (known) return { state: 'skipped', mediaId: known.id, newUrl: known.url, urlHash };
  const objectKey = await deps.keys.take(ctx);
  const progress = new UploadProgress(ctx, leased);
  const file = await fetchFile(url, objectKey, deps, { signal, onResponse: () => progress.begin() }).finally(
    () => progress.end(),
  );
  const item = await createItem(ctx, deps, { download, file, objectKey });
  return { state: item.isNew ? 'done' : 'skipped', mediaId: item.id, newUrl: item.url, urlHash };
}

/** Marks a download whose bytes take a while. Of others the progress shows the end at once. */
class UploadProgress {
  private timer: NodeJS.Timeout | undefined;
  private marked: Promise<void> | undefined;

  constructor(
    private readonly ctx: Context,
    private readonly leased: LeasedDownload,
  ) {}

  begin(): void {
    this.timer = setTimeout(() => {
      // Nothing depends on the mark; the end of the download reports a failing database.
      this.marked = markUploading(this.ctx.db, this.leased).catch(() => undefined);
    }, shortTransferMs);
  }

  async end(): Promise<void> {
    clearTimeout(this.timer);
    await this.marked;
  }
}

/** The file of a media item; undefined when the item was deleted. */
async function storedFile(
  ctx: Context,
  { media }: DownloadDeps,
  id: string,
): Promise<mediaApi.MediaFile | undefined> {
  return (await media.call(mediaApi.filesByIds, ctx, { ids: [id] })).items[0];
}

/** @throws DownloadFailure for a file of a type that the media library does not take. */
async function createItem(
  ctx: Context,
  { media }: DownloadDeps,
  { download, file, objectKey }: { download: StartedDownload; file: FetchedFile; objectKey: string },
) {
  const { mimeType, alt, caption, itemId, requestedBy } = download;
  const { size, sha256, xxh64, sample, contentType } = file;
  try {
    return await media.call(mediaApi.createItemOfObject, ctx, {
      objectKey,
      id: itemId,
      size,
      sha256,
      xxh64,
      sample: sample.toString('base64'),
      declaredTypes: [contentType, mimeType].filter((type) => type !== undefined && type !== null),
      filename: fileNameOf(download),
      alt,
      caption,
      authorId: requestedBy,
    });
  } catch (error) {
    if (!(error instanceof QuireError) || error.status >= 500) throw error;
    const text = error.code === 'INVALID_TYPE' ? error.message : notImported;
    throw new DownloadFailure(text, { cause: error });
  }
}

async function end(ctx: Context, leased: LeasedDownload, result: DownloadEnd): Promise<void> {
  const isEnded = await ctx.db.transaction((tx) => endDownload(tx, leased, result));
  if (isEnded) await completeImport(ctx.db, leased.importId);
}

/** Lets another attempt follow a temporary failure, and ends the download after the last one. */
async function recordFailure(ctx: Context, leased: LeasedDownload, failure: DownloadFailure): Promise<void> {
  const { text, isTemporary } = failure;
  if (await isHostDown(ctx, leased, failure)) return giveUpHost(ctx, leased, text);
  if (isTemporary && (await countTry(ctx.db, leased)) < maxTries)
    return downloadTasks.reschedule(ctx.db, leased, 'SOURCE_FAILED');
  await end(ctx, leased, { state: 'failed', error: text });
}

/** Records how the host behaves. */
async function isHostDown(
  ctx: Context,
  leased: LeasedDownload,
  { isUnreachable, throttleSeconds }: DownloadFailure,
): Promise<boolean> {
  if (isUnreachable) return recordSilence(ctx.db, leased);
  if (leased.failures > 0) await recordResponse(ctx.db, leased, 0);
  if (throttleSeconds !== undefined) await throttleHost(ctx.db, leased, throttleSeconds);
  return false;
}

/** Fails this and all other downloads of a host. */
async function giveUpHost(ctx: Context, leased: LeasedDownload, error: string): Promise<void> {
  const importIds = await ctx.db.transaction((tx) => failHost(tx, leased, error));
  for (const importId of importIds) await completeImport(ctx.db, importId);
}

/** The storage is full: the import ends with its remaining downloads (spec document 3, Errors). */
async function stopImport(
  ctx: Context,
  { media }: DownloadDeps,
  { importId }: LeasedDownload,
): Promise<void> {
  const error = await describeFullStorage(ctx, media);
  const tenantId = ctx.principal.tenant.id;
  await ctx.db.transaction((tx) => failImport(tx, { tenantId, importId }, error));
}
