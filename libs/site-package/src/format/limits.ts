const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const gibibyte = 1024 * mebibyte;

/** Version of the package format that this installation reads and writes. */
export const formatVersion = '1';

/** Collections of a package. The tables of all are read in one statement, which locks them with their indexes. */
export const maxCollections = 500;

/** Limits of a package (contract 25, capabilities). Bytes are those of the file or line as it is stored. */
export const packageLimits = {
  /** Bytes of `manifest.json`. */
  manifestBytes: 8 * mebibyte,
  /** Bytes of one record, without its line feed. */
  recordLineBytes: 64 * mebibyte,
  /** Bytes of one file below `records/` or `index/`. */
  chunkBytes: 256 * mebibyte,
  /** Records of one file below `records/`. */
  chunkRecords: 10_000,
  totalRecords: 100_000_000,
  /** Files of the package, without `manifest.json` and the index. */
  totalFiles: 10_000_000,
  /** Files below `index/`. */
  indexChunks: 10_000,
  /** Arrays and objects inside each other in one record. */
  jsonDepth: 256,
  /** Bytes of one media file. */
  maxBlobBytes: 64 * gibibyte,
} as const;
