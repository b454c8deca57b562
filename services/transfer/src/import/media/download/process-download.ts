import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { mediaApi } from '@quire/internal-api';
import { ObjectStoreFull, ObjectStoreUnavailable } from '@quire/object-store';
import type { InternalApiClient } from '@quire/service-client';
import { maxUploadBytesOf } from '@quire/tenancy';
import { describeFullStorage } from '../../../clients/index.js';
import type { LeasedDownload } from '../download-slots.repository.js';
import {
  downloadTasks,
  maxSlots,
  recordResponse,
  recordSilence,
  throttleHost,
} from '../download-tasks.repository.js';
import { fileNameOf } from '../media-address.js';
import { completeImport, countTry, failHost, failImport, type StartedDownload } from '../media.repository.js';
import type { DownloadBatches } from './download-batches.js';
import { DownloadFailure } from './download-failure.js';
import { DownloadProgress } from './download-progress.js';
import { fetchFile, type FetchFileDeps, type FetchedFile } from './fetch-file.js';
import type { ReservedKeys } from './reserved-keys.js';

/** Attempts of a download that fails through its source. */
const maxTries = 3;
/** Attempts of a download with an unexpected error. Outages of the installation are waited for. */
const maxFaults = 10;
/** The failure of a file where the user can do nothing. */
const notImported = 'The file could not be imported';

export interface DownloadDeps extends FetchFileDeps {
  media: InternalApiClient;
  keys: ReservedKeys;
  batches: DownloadBatches;
}

/** A leased download, and the file of its address when another import stored it. */
export interface PlannedDownload {
  leased: LeasedDownload;
  download: StartedDownload;
  known: mediaApi.MediaFile | undefined;
}

/** A file that is stored, but not yet a media item. */
interface StoredFile extends FetchedFile {
  objectKey: string;
}

/**
 * Requests a file, and stores it. A download that is interrupted here or later is repeated by another worker: bytes
 * without an item are deleted by the media service, and an item without a result is found again by its id and bytes.
 * @throws DownloadFailure; an error of the installation; the signal's reason
 */
export async function storeFile(
  ctx: Context,
  deps: DownloadDeps,
  { leased, download }: PlannedDownload,
  signal: AbortSignal,
): Promise<StoredFile> {
  const objectKey = await deps.keys.take(ctx);
  const progress = new DownloadProgress(ctx, leased);
  progress.begin('downloading');
  try {
    const onResponse = () => progress.begin('uploading');
    const maxBytes = maxUploadBytesOf(ctx.principal.tenant, deps.maxBytes);
    const fetched = await fetchFile(download.url, objectKey, { ...deps, maxBytes }, { signal, onResponse });
    return { ...fetched, objectKey };
  } finally {
    await progress.end();
  }
}

/**
 * Makes a media item of a stored file, and ends its download.
 * @throws DownloadFailure for a type that the media library does not take; an error of the installation
 */
export async function createItem(
  ctx: Context,
  { batches }: DownloadDeps,
  { leased, download }: PlannedDownload,
  { objectKey, size, sha256, xxh64, sample, contentType }: StoredFile,
): Promise<void> {
  const { mimeType, alt, caption, itemId, requestedBy, urlHash } = download;
  const item = await batches.createItem(ctx, {
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
  if ('error' in item) throw new DownloadFailure(item.error.message);
  const state = item.isNew ? 'done' : 'skipped';
  await batches.end(ctx, { ...leased, end: { state, mediaId: item.id, newUrl: item.url, urlHash } });
  if (leased.slots < maxSlots || leased.failures > 0) await recordResponse(ctx.db, leased, 1);
}

/** Ends a download whose file another import has stored. */
export async function skipDownload(
  ctx: Context,
  { batches }: DownloadDeps,
  { leased, download: { urlHash } }: PlannedDownload,
  { id, url }: mediaApi.MediaFile,
): Promise<void> {
  await batches.end(ctx, { ...leased, end: { state: 'skipped', mediaId: id, newUrl: url, urlHash } });
}

/**
 * Records why a download has no file: another attempt follows, or it ends.
 * @throws Error of the installation: the download is to be rescheduled
 */
export async function recordFailure(
  ctx: Context,
  deps: DownloadDeps,
  { leased, error, signal }: { leased: LeasedDownload; error: unknown; signal: AbortSignal },
): Promise<void> {
  if (error instanceof DownloadFailure) await recordSourceFailure(ctx, deps, leased, error);
  else if (isStorageFull(error)) await stopImport(ctx, deps, leased);
  else if (signal.aborted || isOutage(error) || leased.attempts < maxFaults) throw error;
  else await deps.batches.end(ctx, { ...leased, end: { state: 'failed', error: notImported } });
}

/** Whether the store has no space, or the files of the site have their maximum. */
const isStorageFull = (error: unknown): boolean =>
  error instanceof ObjectStoreFull ||
  (error instanceof QuireError && error.code === 'STORAGE_QUOTA_EXCEEDED');

const isOutage = (error: unknown): boolean =>
  error instanceof ObjectStoreUnavailable ||
  (error instanceof QuireError && error.code === 'SERVICE_UNAVAILABLE');

/** Lets another attempt follow a temporary failure, and ends the download after the last one. */
async function recordSourceFailure(
  ctx: Context,
  { batches }: DownloadDeps,
  leased: LeasedDownload,
  failure: DownloadFailure,
): Promise<void> {
  const { text, isTemporary } = failure;
  if (await isHostDown(ctx, leased, failure)) return giveUpHost(ctx, leased, text);
  if (isTemporary && (await countTry(ctx.db, leased)) < maxTries)
    return downloadTasks.reschedule(ctx.db, leased, 'SOURCE_FAILED');
  await batches.end(ctx, { ...leased, end: { state: 'failed', error: text } });
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

/** No further file can be stored: the import ends with its remaining downloads (spec document 3, Errors). */
async function stopImport(
  ctx: Context,
  { media }: DownloadDeps,
  { importId }: LeasedDownload,
): Promise<void> {
  const error = await describeFullStorage(ctx, media);
  const tenantId = ctx.principal.tenant.id;
  await ctx.db.transaction((tx) => failImport(tx, { tenantId, importId }, error));
}
