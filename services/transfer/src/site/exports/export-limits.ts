const mebibyte = 1024 * 1024;

/** How much one step of an export does. */
export const exportLimits = {
  /** A file with records ends at the record that reaches one of them. */
  recordsPerFile: 5_000,
  recordBytesPerFile: 8 * mebibyte,
  /** Records of one call. Larger texts outlive many collections of garbage, which take longer than the work on them. */
  recordsPerPage: 1_000,
  recordBytesPerPage: mebibyte,
  mediaFilesPerStep: 1_000,
  filesPerIndexFile: 10_000,
  /** Files that one step checks: all of their bytes are read, except those of media. */
  checkedFilesPerStep: 500,
  checkedBytesPerStep: 64 * mebibyte,
  /** Objects of the store that are asked for at a time. */
  concurrentChecks: 8,
} as const;

/** Days until the files of a complete export are deleted. */
export const exportLifetimeDays = 7;

/** Times that an export begins again because its copies were lost, before it fails. */
export const maxRestarts = 5;
