import { packageLimits, recordKinds, type RecordKind } from '@quire/site-package';

/**
 * Places of files in the archive: a reader meets the manifest first, then the index, the records and the media. The
 * limits of a package leave no group without room.
 */
export const manifestPosition = 0;
export const firstIndexPosition = 1;
export const firstRecordsPosition = 1_000_000;
export const firstMediaPosition = 1_000_000_000;

/** The numbers in the paths of files with records are below it. */
const maxFilesOfKind = 1_000_000;

/**
 * The place of a file with records in an import, which receives the index in any order.
 * @param number of the path, from 1
 */
export function recordsPosition(kind: RecordKind, number: number): number {
  return firstRecordsPosition + recordKinds.indexOf(kind) * maxFilesOfKind + number;
}

/**
 * The place of a media file in an import: by the order of the index.
 * @param indexNumber number of the index file, from 1
 * @param line of the index file, from 1
 */
export function mediaPosition(indexNumber: number, line: number): number {
  return firstMediaPosition + (indexNumber - 1) * packageLimits.totalFiles + line - 1;
}
