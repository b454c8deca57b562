/**
 * Places of files in the archive: a reader meets the manifest first, then the index, the records and the media. The
 * limits of a package leave no group without room.
 */
export const manifestPosition = 0;
export const firstIndexPosition = 1;
export const firstRecordsPosition = 1_000_000;
export const firstMediaPosition = 1_000_000_000;
