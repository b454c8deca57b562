import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { mediaApi } from '@quire/internal-api';
import { ObjectStoreFull, ObjectStoreUnavailable } from '@quire/object-store';
import type { InternalApiClient } from '@quire/service-client';
import {
  downloadTasks,
  maxSlots,
  relaxHost,
  throttleHost,
  type LeasedDownload,
} from '../download-tasks.repository.js';
import { fileNameOf } from '../media-address.js';
import {
  completeImport,
  countTry,
  endDownload,
  failImport,
  markUploading,
  startDownload,
  type DownloadEnd,
  type StartedDownload,
} from '../media.repository.js';
import { DownloadFailure } from './download-failure.js';
import { fetchFile, type FetchFileDeps, type FetchedFile } from './fetch-file.js';

/** Attempts of a download that fails through its source. */
const maxTries = 3;
/** Attempts of a download with an unexpected error. Outages of the installation are waited for. */
const maxFaults = 10;
/** The failure of a file where the user can do nothing. */
const notImported = 'The file could not be imported';

export interface DownloadDeps extends FetchFileDeps {
  media: InternalApiClient;
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
    if (leased.slots < maxSlots) await relaxHost(ctx.db, leased);
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
  const { objectKeys } = await deps.media.call(mediaApi.reserveObjects, ctx, { count: 1 });
  const [objectKey = ''] = objectKeys;
  let marked: Promise<void> = Promise.resolve();
  const onResponse = () => {
    marked = markUploading(ctx.db, leased);
    // Awaited below; a transfer that fails first must not make it an unhandled rejection.
    marked.catch(() => undefined);
  };
  const file = await fetchFile(url, objectKey, deps, { signal, onResponse });
  await marked;
  const item = await createItem(ctx, deps, { download, file, objectKey });
  return { state: item.isNew ? 'done' : 'skipped', mediaId: item.id, newUrl: item.url, urlHash };
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
  const { text, isTemporary, throttleSeconds } = failure;
  if (throttleSeconds !== undefined) await throttleHost(ctx.db, leased, throttleSeconds);
  if (isTemporary && (await countTry(ctx.db, leased)) < maxTries)
    return downloadTasks.reschedule(ctx.db, leased, 'SOURCE_FAILED');
  await end(ctx, leased, { state: 'failed', error: text });
}

/** The storage is full: the import ends with its remaining downloads (spec document 3, Errors). */
async function stopImport(
  ctx: Context,
  { media }: DownloadDeps,
  { importId }: LeasedDownload,
): Promise<void> {
  const details = await media.call(mediaApi.getStorageUse, ctx);
  const { usedBytes } = details;
  const message = `The storage is full: the files of this site take ${usedBytes} bytes`;
  const tenantId = ctx.principal.tenant.id;
  await ctx.db.transaction((tx) =>
    failImport(tx, { tenantId, importId }, { code: 'STORAGE_QUOTA_EXCEEDED', message, details }),
  );
}
