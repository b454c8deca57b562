import { createHash } from 'node:crypto';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { BodyMemory, JsonScanner, readBody, type StreamedBody } from '@quire/http-server';
import { packageLimits, sha256Of, type Manifest } from '@quire/site-package';
import { limitExceeded, manifestInvalid } from '../package-errors.js';
import { parseManifest } from './parse-manifest.js';

const timeoutMs = 60_000;

/** Shared by all requests of this process. */
const memory = new BodyMemory({
  maxBytes: 8 * packageLimits.manifestBytes,
  maxBytesPerTenant: 2 * packageLimits.manifestBytes,
});

/** A received manifest. The digest of the package is that of exactly these bytes. */
export interface ReceivedManifest {
  bytes: Buffer;
  /** Of the bytes, in hexadecimal digits. */
  sha256: string;
  manifest: Manifest;
}

/**
 * Receives and parses `manifest.json`.
 * @throws QuireError UNSUPPORTED_MEDIA_TYPE, INVALID_REQUEST for an incomplete body, SERVICE_UNAVAILABLE without memory
 *   for it, and the errors of `parseManifest`
 */
export async function receiveManifest(ctx: Context, body: StreamedBody): Promise<ReceivedManifest> {
  const [mediaType = ''] = (body.contentType ?? '').split(';', 1);
  if (mediaType.trim().toLowerCase() !== 'application/json')
    throw new QuireError('UNSUPPORTED_MEDIA_TYPE', 'Send the bytes of manifest.json as application/json');
  const scanner = new JsonScanner();
  const hash = createHash('sha256');
  const text = await readBody(body.bytes, {
    contentLength: body.contentLength,
    limits: { maxBytes: packageLimits.manifestBytes, timeoutMs },
    memory: memory.open(ctx.principal.tenant.id),
    onChunk: (chunk) => {
      scanner.scan(chunk);
      hash.update(chunk);
    },
  }).catch((error: unknown) => {
    throw toManifestError(error);
  });
  const bytes = Buffer.from(text);
  const sha256 = sha256Of(bytes);
  // Bytes that are no UTF-8 were replaced in the text.
  if (hash.digest('hex') !== sha256) throw manifestInvalid('', 'is not valid UTF-8');
  return { bytes, sha256, manifest: parseManifest(text) };
}

function toManifestError(error: unknown): unknown {
  const code = error instanceof QuireError ? error.code : undefined;
  if (code === 'PAYLOAD_TOO_LARGE') return limitExceeded('manifestBytes', 'Bytes of manifest.json');
  return code === 'VALIDATION_ERROR'
    ? manifestInvalid('', 'has too many values, or is nested too deeply')
    : error;
}
