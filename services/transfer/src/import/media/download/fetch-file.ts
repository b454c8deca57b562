import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import {
  fingerprintStream,
  ObjectSizeMismatch,
  ObjectStoreFull,
  ObjectStoreUnavailable,
  ObjectTooLarge,
  type ObjectStore,
  type StreamFingerprint,
} from '@quire/object-store';
import { DisallowedAddressError, ResponseTooLargeError, type GuardedFetch } from '@quire/outgoing-http';
import { parseUrl } from '@quire/values';
import { blockedUrl } from '../media-address.js';
import { DownloadFailure, responseFailure } from './download-failure.js';
import { TransferWatch, type TransferLimits } from './transfer-watch.js';

const maxRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);
/** The media service detects types in it. */
const sampleBytes = 4_100;
const requestHeaders = { 'user-agent': 'Quire', 'accept-encoding': 'identity' };
/** Clients get files from the media service with their detected type, never from the store. */
const storedType = 'application/octet-stream';

export interface FetchFileDeps {
  /** Reaches public addresses only, and follows no redirects by itself. */
  fetch: GuardedFetch;
  store: ObjectStore;
  limits: TransferLimits;
  /** Maximum size of a file in bytes. */
  maxBytes: number;
}

/** A file that is stored, but not yet a media item. */
export interface FetchedFile extends StreamFingerprint {
  /** The type that the server named. */
  contentType: string | undefined;
}

/**
 * Streams a file from its source to the store, and hashes it on the way. Nothing is stored unless the file is whole.
 * @param options.onResponse called when the bytes begin to arrive
 * @throws DownloadFailure; ObjectStoreFull, ObjectStoreUnavailable; the signal's reason
 */
export async function fetchFile(
  url: string,
  objectKey: string,
  deps: FetchFileDeps,
  { signal, onResponse }: { signal: AbortSignal; onResponse: () => void },
): Promise<FetchedFile> {
  const watch = new TransferWatch(deps.limits);
  const ended = AbortSignal.any([signal, watch.signal]);
  try {
    const response = await openResponse(new URL(url), deps, ended);
    watch.progress(0);
    onResponse();
    return await storeBody(response, objectKey, deps, { signal: ended, watch });
  } catch (error) {
    ended.throwIfAborted();
    throw toFailure(error, { maxBytes: deps.maxBytes, isUnreachable: !watch.hasResponse });
  } finally {
    watch.end();
  }
}

/** Follows redirects; the guarded client checks each step. @returns a response with status 2xx */
async function openResponse(first: URL, { fetch }: FetchFileDeps, signal: AbortSignal): Promise<Response> {
  let url = first;
  for (let step = 0; step <= maxRedirects; step++) {
    const response = await fetch(url.href, { redirect: 'manual', headers: requestHeaders, signal });
    if (response.ok) return response;
    await response.body?.cancel();
    const location = response.headers.get('location');
    if (!redirects.has(response.status) || location === null)
      throw responseFailure(response.status, response.headers.get('retry-after'));
    url = targetOf(location, url);
  }
  throw new DownloadFailure(`The URL is redirected more than ${maxRedirects} times`);
}

/** @throws DownloadFailure for a redirect that is not followed. */
function targetOf(location: string, base: URL): URL {
  const target = parseUrl(location, base);
  if (!target) throw new DownloadFailure('Blocked: the redirect does not lead to a valid URL');
  const failure = blockedUrl(target);
  if (failure !== undefined) throw new DownloadFailure(failure);
  return target;
}

async function storeBody(
  { headers, body }: Response,
  objectKey: string,
  { store, maxBytes }: FetchFileDeps,
  { signal, watch }: { signal: AbortSignal; watch: TransferWatch },
): Promise<FetchedFile> {
  const size = announcedSize(headers);
  if (size !== undefined && size > maxBytes) {
    await body?.cancel();
    throw tooLarge(maxBytes);
  }
  const source = body ? Readable.fromWeb(body as ReadableStream) : Readable.from([]);
  const { bytes, fingerprint } = fingerprintStream(source, { sampleBytes });
  bytes.on('data', (chunk: Buffer) => watch.progress(chunk.length));
  try {
    const announced = size === undefined ? {} : { size };
    await store.put(objectKey, bytes, { contentType: storedType, maxBytes, signal, ...announced });
  } finally {
    // Ends the connection of an incomplete transfer.
    source.destroy();
    bytes.destroy();
  }
  const file = fingerprint();
  if (file.size === 0) {
    await store.delete(objectKey);
    throw new DownloadFailure('The file is empty');
  }
  return { ...file, contentType: headers.get('content-type') ?? undefined };
}

/** Content-Length; undefined where the body is decoded, and therefore has another length. */
function announcedSize(headers: Headers): number | undefined {
  const length = headers.get('content-length');
  const isEncoded = (headers.get('content-encoding') ?? 'identity') !== 'identity';
  return isEncoded || length === null || !/^\d+$/.test(length) ? undefined : Number(length);
}

/** The failure for an error of the source; the store's own errors are returned. */
function toFailure(
  error: unknown,
  { maxBytes, isUnreachable }: { maxBytes: number; isUnreachable: boolean },
): unknown {
  if (error instanceof DownloadFailure) return error;
  if (error instanceof ObjectStoreFull || error instanceof ObjectStoreUnavailable) return error;
  if (error instanceof DisallowedAddressError)
    return new DownloadFailure(`Blocked: ${error.message}`, { cause: error });
  if (error instanceof ResponseTooLargeError || error instanceof ObjectTooLarge) return tooLarge(maxBytes);
  if (error instanceof ObjectSizeMismatch)
    return new DownloadFailure('The file arrived incomplete', { isTemporary: true, cause: error });
  // As fetch reports timeouts and failures of the network, also while the body is read.
  if (error instanceof TypeError || error instanceof DOMException || hasCode(error))
    return new DownloadFailure('The file could not be downloaded', {
      isTemporary: true,
      isUnreachable,
      cause: error,
    });
  return error;
}

const hasCode = (error: unknown): boolean =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';

const tooLarge = (maxBytes: number) => new DownloadFailure(`The file has more than ${maxBytes} bytes`);
