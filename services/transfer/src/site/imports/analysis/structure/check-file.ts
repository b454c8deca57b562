import type { ObjectStore } from '@quire/object-store';
import { fileNumberOf, packageFileAt, packageLimits } from '@quire/site-package';
import type { PackageFileRow } from '../../../package-files/package-files.repository.js';
import { sizeOfObject } from '../../../package-files/stored-files.js';
import type { Finding } from '../issues/issue-list.js';
import type { BlockerCode } from '../../plan/plan.js';

/** Checks the place of a file in the package and its declared size. @param before path of the file before it */
export function checkDeclaration(
  { path, bytes }: PackageFileRow,
  before: string | undefined,
  { maxMediaBytes }: { maxMediaBytes: number },
): Finding<BlockerCode>[] {
  const file = packageFileAt(path);
  const isMedia = file?.type === 'media';
  const kind = file?.type === 'records' ? { kind: file.kind } : {};
  const findings: Finding<BlockerCode>[] = [];
  if (!isMedia && fileNumberOf(path) !== numberAfter(path, before))
    findings.push({
      code: file?.type === 'records' ? 'record_order_invalid' : 'package_invalid',
      message: 'The files are not numbered from 1 without gaps',
      property: 'path',
      detail: { path },
      ...kind,
    });
  if (!isMedia && bytes === 0)
    findings.push({
      code: 'package_invalid',
      message: 'A file is empty',
      property: 'bytes',
      detail: { path },
      ...kind,
    });
  if (bytes > packageLimits[isMedia ? 'maxBlobBytes' : 'chunkBytes'])
    findings.push({
      code: 'limit_exceeded',
      message: 'A file is larger than the format allows',
      property: 'bytes',
      detail: { path, bytes },
      ...kind,
    });
  if (isMedia && bytes > maxMediaBytes)
    findings.push({
      code: 'media_blob_too_large',
      message: 'A media file is larger than this site accepts',
      property: 'bytes',
      detail: { path, bytes, limit: maxMediaBytes },
    });
  return findings;
}

/** Checks that the object of a file exists with its size. @throws QuireError SERVICE_UNAVAILABLE */
export async function checkObject(
  store: ObjectStore,
  { path, bytes, objectKey, isStored }: PackageFileRow,
): Promise<Finding<BlockerCode>[]> {
  const size = await sizeOfObject(store, objectKey);
  if (size === undefined || !isStored)
    return [{ code: 'file_missing', message: 'A file of the package is not stored', detail: { path } }];
  if (size === bytes) return [];
  const detail = { path, bytes: size, declared: bytes };
  return [{ code: 'file_mismatch', message: 'A stored file has another size than the index states', detail }];
}

function numberAfter(path: string, before: string | undefined): number {
  const folder = (each: string) => each.slice(0, each.lastIndexOf('/'));
  return before !== undefined && folder(before) === folder(path) ? fileNumberOf(before) + 1 : 1;
}
