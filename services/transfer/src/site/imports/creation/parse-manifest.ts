import { QuireError } from '@quire/errors';
import {
  formatVersion,
  indexPath,
  manifestSchema,
  packageLimits,
  recordKinds,
  type Manifest,
} from '@quire/site-package';
import { isStorableText } from '@quire/values';
import type { z } from 'zod';
import { limitExceeded, manifestInvalid, maxNamedLength } from '../package-errors.js';

const maxFeatures = 100;

/**
 * Parses `manifest.json` (docs/transfer-format.md).
 * @throws QuireError TRANSFER_UNSUPPORTED_FORMAT, TRANSFER_UNSUPPORTED_FEATURE, TRANSFER_LIMIT_EXCEEDED;
 *   TRANSFER_MANIFEST_INVALID, whose `path` names the property
 */
export function parseManifest(text: string): Manifest {
  const json = parseJson(text);
  if (!isObject(json)) throw manifestInvalid('', 'must be an object');
  assertSupported(json);
  assertSizes(json);
  const parsed = manifestSchema.safeParse(json);
  if (!parsed.success) throw toManifestError(parsed.error);
  assertNames(parsed.data);
  assertIndex(parsed.data);
  assertTotals(parsed.data);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw manifestInvalid('', 'is not valid JSON');
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Before anything else is checked: a newer format may have other properties. */
function assertSupported({ formatVersion: version, features }: Record<string, unknown>): void {
  if ((typeof version === 'string' || typeof version === 'number') && version !== formatVersion)
    throw new QuireError(
      'TRANSFER_UNSUPPORTED_FORMAT',
      `Packages of format version ${formatVersion} are supported`,
      {
        details: { formatVersion: String(version).slice(0, maxNamedLength) },
      },
    );
  const [feature] = Array.isArray(features) ? (features as unknown[]) : [];
  if (typeof feature === 'string')
    throw new QuireError(
      'TRANSFER_UNSUPPORTED_FEATURE',
      'The package requires features that are not supported',
      {
        details: { feature: feature.slice(0, maxNamedLength) },
      },
    );
}

/** Rejects hostile lists before each of their values is validated. */
function assertSizes({ index, counts, features, optionalFeatures }: Record<string, unknown>): void {
  if (sizeOf(index) > packageLimits.indexChunks) throw limitExceeded('indexChunks', 'Files of the index');
  if (sizeOf(counts) > recordKinds.length) throw manifestInvalid('counts', 'has unknown kinds');
  // The schema of a record skips this name.
  if (isObject(counts) && Object.hasOwn(counts, '__proto__'))
    throw manifestInvalid('counts.__proto__', 'is unknown');
  for (const [name, list] of Object.entries({ features, optionalFeatures }))
    if (sizeOf(list) > maxFeatures) throw manifestInvalid(name, `has more than ${maxFeatures} values`);
}

function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : 0;
}

function toManifestError({ issues: [issue] }: z.ZodError): QuireError {
  const unknownKey = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [...(issue?.path ?? []), ...unknownKey].map(String).join('.');
  const problem = unknownKey.length > 0 ? 'is unknown' : `is invalid: ${issue?.message ?? ''}`;
  return manifestInvalid(path, problem.slice(0, maxNamedLength));
}

/** The database stores them. */
function assertNames({ packageId, siteId, createdBy }: Manifest): void {
  const names = {
    packageId,
    siteId,
    'createdBy.name': createdBy.name,
    'createdBy.version': createdBy.version,
  };
  for (const [path, name] of Object.entries(names))
    if (!isStorableText(name)) throw manifestInvalid(path, 'must not contain U+0000 or unpaired surrogates');
}

function assertIndex({ index }: Manifest): void {
  for (const [place, { path, bytes }] of index.entries()) {
    const expected = indexPath(place + 1);
    if (path !== expected) throw manifestInvalid(`index.${place}.path`, `must be ${expected}`);
    if (bytes === 0) throw manifestInvalid(`index.${place}.bytes`, 'must not be 0');
    if (bytes > packageLimits.chunkBytes) throw limitExceeded('chunkBytes', `Bytes of ${path}`);
  }
}

function assertTotals({ counts, records, media }: Manifest): void {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (total > packageLimits.totalRecords) throw limitExceeded('totalRecords', 'Records');
  if (records.count + media.count > packageLimits.totalFiles) throw limitExceeded('totalFiles', 'Files');
}
