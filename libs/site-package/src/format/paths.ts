import { recordKinds, type RecordKind } from '../records/record-kinds.js';

export const manifestPath = 'manifest.json';

const numbered = String.raw`\d{6}\.ndjson`;
const kinds = recordKinds.join('|');
const indexFile = new RegExp(`^index/${numbered}$`);
const recordFile = new RegExp(`^records/(${kinds})/${numbered}$`);
const numberAtEnd = /\/(\d{6})\.ndjson$/;
const mediaFile = /^media\/[0-9a-f]{64}$/;

/** A file of a package, by its path. */
export type PackageFile =
  { type: 'index' } | { type: 'records'; kind: RecordKind } | { type: 'media'; sha256: string };

/**
 * What a path of a package names. These forms are all that there is, so no path leaves the package's folder.
 * @returns undefined for any other path
 */
export function packageFileAt(path: string): PackageFile | undefined {
  if (indexFile.test(path)) return { type: 'index' };
  if (mediaFile.test(path)) return { type: 'media', sha256: path.slice('media/'.length) };
  const kind = recordFile.exec(path)?.[1];
  return kind === undefined ? undefined : { type: 'records', kind: kind as RecordKind };
}

/** The number in the path of an index file or of a file with records; NaN for other paths. */
export function fileNumberOf(path: string): number {
  return Number(numberAtEnd.exec(path)?.[1]);
}

/** The path of an index file. @param number counts from 1 */
export function indexPath(number: number): string {
  return `index/${chunkName(number)}`;
}

/** The path of a file with records. @param number counts from 1, for each kind */
export function recordsPath(kind: RecordKind, number: number): string {
  return `records/${kind}/${chunkName(number)}`;
}

/** The path of a media file. @param sha256 of its bytes, in hexadecimal digits */
export function mediaPath(sha256: string): string {
  return `media/${sha256}`;
}

function chunkName(number: number): string {
  return `${String(number).padStart(6, '0')}.ndjson`;
}
