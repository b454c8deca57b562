import type { Context } from '@quire/context';
import { invalidInput, notFound, QuireError } from '@quire/errors';
import { parseByteRange, type BytesResponse } from '@quire/http-server';
import { selectItemByStorageKey, type ItemRow } from '../../items/index.js';
import type { MediaObjects } from '../../objects/index.js';
import {
  isPublicVariant,
  parseVariantSpec,
  assertVariantReader,
  variantParameters,
  type VariantQuery,
  type Variants,
  type VariantSignatures,
} from '../../variants/index.js';
import { fileHeaders, type ServedFile } from '../file-headers.js';

/** A request for a file. */
export interface FileRequest {
  storageKey: string;
  /** The requested variant; empty for the uploaded file. */
  query: VariantQuery;
  /** True for HEAD: the response has no body. */
  isHeadOnly: boolean;
  range: string | undefined;
  /** Validator on which the range depends. */
  ifRange: string | undefined;
  ifNoneMatch: string | undefined;
}

interface FileDeps {
  objects: MediaObjects;
  variants: Variants;
  signatures: VariantSignatures;
}

type StoredItem = ItemRow & { objectKey: string };

/**
 * @returns the bytes of a ready item, which are public (contract 11), or of a variant of it: the variants of decision
 *   63 are public, others need a signature or the right to read media. While an image is replaced, the bytes are the
 *   former or the new ones.
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR for a variant of another file than an image, NOT_AUTHENTICATED,
 *   INSUFFICIENT_SCOPE, RATE_LIMITED when many variants are created, NO_STORAGE, SERVICE_UNAVAILABLE when the store is
 *   down.
 */
export async function getMediaFile(
  ctx: Context,
  deps: FileDeps,
  request: FileRequest,
): Promise<BytesResponse> {
  const item = await getReadyItem(ctx, request);
  try {
    return await buildResponse(ctx, deps, item, request);
  } catch (error) {
    if (!(error instanceof QuireError) || error.code !== 'NOT_FOUND') throw error;
    const current = await getReadyItem(ctx, request);
    // With the same bytes a retry helps only where a variant was deleted after its lookup.
    if (current.objectKey === item.objectKey && variantParameters(request.query).length === 0) throw error;
    return buildResponse(ctx, deps, current, request);
  }
}

async function getReadyItem(ctx: Context, { storageKey }: FileRequest): Promise<StoredItem> {
  const item = await selectItemByStorageKey(ctx.db, storageKey);
  if (!item || item.objectKey === null) throw notFound('file');
  return { ...item, objectKey: item.objectKey };
}

/** @throws QuireError NOT_FOUND when the bytes of the item are missing. */
async function buildResponse(
  ctx: Context,
  deps: FileDeps,
  item: StoredItem,
  request: FileRequest,
): Promise<BytesResponse> {
  const file = await servedFile(ctx, deps, item, request.query);
  const headers = fileHeaders(file);
  const { etag = '' } = headers;
  if (request.ifNoneMatch !== undefined && matches(request.ifNoneMatch, etag))
    return { status: 304, headers };
  const isSameFile = request.ifRange === undefined || request.ifRange.trim() === etag;
  const range = isSameFile ? parseByteRange(request.range, file.size) : undefined;
  if (range === 'unsatisfiable') {
    return {
      status: 416,
      headers: { ...headers, 'content-range': `bytes */${file.size}`, 'content-length': '0' },
    };
  }
  const length = range ? range.end - range.start + 1 : file.size;
  const response: BytesResponse = range
    ? {
        status: 206,
        headers: { ...headers, 'content-range': `bytes ${range.start}-${range.end}/${file.size}` },
      }
    : { status: 200, headers };
  response.headers['content-length'] = String(length);
  if (request.isHeadOnly) return response;
  const opened = await deps.objects.open(file.objectKey, range);
  if (!opened) throw notFound('file');
  return { ...response, bytes: opened.bytes };
}

/**
 * @returns the object with the requested bytes.
 * @throws QuireError NOT_AUTHENTICATED, INSUFFICIENT_SCOPE for variants that are not public, VALIDATION_ERROR when the
 *   item has no such variant.
 */
async function servedFile(
  ctx: Context,
  { variants, signatures }: FileDeps,
  item: StoredItem,
  query: VariantQuery,
): Promise<ServedFile> {
  const requested = variantParameters(query);
  if (requested.length === 0) return item;
  const { principal } = ctx;
  const isPublic =
    isPublicVariant(query, item.mimeType) || signatures.isValid(principal.tenant.id, item.storageKey, query);
  if (!isPublic) assertVariantReader(principal);
  const spec = parseVariantSpec(query, item.mimeType);
  const variant = await variants.get(ctx, item, spec);
  if (!variant)
    throw invalidInput(requested.map((path) => ({ path, message: 'requires an image that can be decoded' })));
  const filename = `${item.filename.replace(/\.[A-Za-z0-9]+$/, '')}.${spec.format === 'jpeg' ? 'jpg' : spec.format}`;
  return { ...variant, mimeType: `image/${spec.format}`, filename };
}

/** Whether one of the client's validators matches; weak comparison (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
