import {
  digestOf,
  formatVersion,
  indexPath,
  isInLogicalDigest,
  logicalBytesOf,
  manifestPath,
  mediaPath,
  recordKinds,
  recordsPath,
  sha256Of,
  type DeclaredFile,
  type Digest,
  type Manifest,
  type RecordKind,
} from '@quire/site-package';

/** A record, or the text of a line that is written as it is. */
export type PackageRecord = object | string;

/** What a package has. Whatever is written here is declared with its true size and hash. */
export interface PackageContent {
  /** The records of each kind, written in the given order. The format requires the order of their keys. */
  records?: Partial<Record<RecordKind, readonly PackageRecord[]>>;
  /** The bytes of media files. Equal ones are one file. */
  media?: readonly Buffer[];
  /** Default: 5,000. */
  recordsPerFile?: number;
  /** Default: 10,000. */
  filesPerIndexFile?: number;
  /** Properties of the manifest instead of the true ones. */
  manifest?: object;
  /** Changes the lines of the index, before they are divided into files: for invalid packages. */
  changeIndex?: (lines: readonly DeclaredFile[]) => readonly object[];
}

/** A package in memory. */
export interface SitePackage {
  manifest: Manifest;
  /** The bytes of `manifest.json`. */
  manifestBytes: Buffer;
  /** Of the manifest: the digest of the package. */
  packageDigest: Digest;
  /** All files but the manifest by path, in the order of the archive: index, records by kind, media by hash. */
  files: ReadonlyMap<string, Buffer>;
}

/** Builds a package of format version 1 (docs/transfer-format.md). Without content it has a manifest only. */
export function buildPackage(content: PackageContent = {}): SitePackage {
  const { filesPerIndexFile = 10_000, changeIndex = (lines) => lines } = content;
  const recordFiles = recordFilesOf(content);
  const mediaFiles = mediaFilesOf(content);
  const lines = changeIndex([...recordFiles, ...mediaFiles].map(declared));
  const indexFiles = chunksOf(lines, filesPerIndexFile).map((chunk, index): PackedFile => [
    indexPath(index + 1),
    linesOf(chunk),
  ]);
  const manifest = {
    ...manifestOf(content, { recordFiles, mediaFiles, indexFiles }),
    ...content.manifest,
  } as Manifest;
  const manifestBytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  return {
    manifest,
    manifestBytes,
    packageDigest: digestOf(manifestBytes),
    files: new Map([...indexFiles, ...recordFiles, ...mediaFiles]),
  };
}

/** All files of a package with the manifest, in the order of the archive. */
export function archivedFilesOf({ manifestBytes, files }: SitePackage): { path: string; bytes: Buffer }[] {
  return [[manifestPath, manifestBytes] as const, ...files].map(([path, bytes]) => ({ path, bytes }));
}

type PackedFile = [path: string, bytes: Buffer];

function recordFilesOf({ records = {}, recordsPerFile = 5_000 }: PackageContent): PackedFile[] {
  return recordKinds.flatMap((kind) =>
    chunksOf(records[kind] ?? [], recordsPerFile).map((chunk, index): PackedFile => [
      recordsPath(kind, index + 1),
      linesOf(chunk),
    ]),
  );
}

function mediaFilesOf({ media = [] }: PackageContent): PackedFile[] {
  const byPath = new Map(media.map((bytes) => [mediaPath(sha256Of(bytes)), bytes]));
  return [...byPath].sort(([left], [right]) => (left < right ? -1 : 1));
}

function manifestOf(
  { records = {} }: PackageContent,
  files: Record<'recordFiles' | 'mediaFiles' | 'indexFiles', readonly PackedFile[]>,
): Manifest {
  const counts = recordKinds.map((kind) => [kind, records[kind]?.length ?? 0] as const);
  return {
    formatVersion,
    packageId: 'package-1',
    siteId: 'site-1',
    createdAt: '2026-01-02T03:04:05.678Z',
    createdBy: { name: 'quire', version: '1.0.0' },
    features: [],
    optionalFeatures: [],
    counts: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    records: totalOf(files.recordFiles),
    media: totalOf(files.mediaFiles),
    logicalDigest: logicalDigestOf(records),
    index: files.indexFiles.map(declared),
  };
}

/** Lines without canonical JSON are not part of the digest. */
function logicalDigestOf(records: NonNullable<PackageContent['records']>): Digest {
  const hashes = recordKinds
    .filter(isInLogicalDigest)
    .flatMap((kind) => (records[kind] ?? []).flatMap((record) => logicalPart(kind, record)));
  return digestOf(Buffer.concat(hashes));
}

function logicalPart(kind: RecordKind, record: PackageRecord): Buffer[] {
  try {
    const object = (typeof record === 'string' ? JSON.parse(record) : record) as Record<string, unknown>;
    return [logicalBytesOf(kind, object)];
  } catch {
    return [];
  }
}

function declared([path, bytes]: PackedFile): DeclaredFile {
  return { path, bytes: bytes.length, sha256: sha256Of(bytes) };
}

function totalOf(files: readonly PackedFile[]): { count: number; bytes: number } {
  return { count: files.length, bytes: files.reduce((sum, [, bytes]) => sum + bytes.length, 0) };
}

function linesOf(records: readonly PackageRecord[]): Buffer {
  const texts = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)));
  return Buffer.from(texts.map((text) => `${text}\n`).join(''));
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
