const mebibyte = 1024 * 1024;

/** How much one step of an execution does. */
export const executionLimits = {
  /** A step begins no further batch after this time. */
  stepMs: 2_000,
  /** Requests that have passed the gateway before the site became read-only have ended after this time. */
  fenceDelayMs: 2_000,
  /** Batches of records that are written at a time: one is prepared while the database stores another. */
  concurrentWrites: 3,
  /** Bytes of the media items that one call writes, unless one is larger. */
  mediaBytesPerCall: 256 * mebibyte,
  /** Records of the site that one call reads. */
  recordsPerPage: 1_000,
  recordBytesPerPage: 8 * mebibyte,
  mediaFilesPerPage: 200,
  /** Bytes of a media file that are hashed between two checks of the time. */
  mediaBytesPerPart: 16 * mebibyte,
  /** Small media files that are hashed at a time. */
  concurrentFiles: 8,
} as const;

/** Times that the verification begins again because its copies were lost. */
export const maxVerifications = 5;

/** Whether a step may begin a further batch. */
export function stepTime(): () => boolean {
  const deadline = Date.now() + executionLimits.stepMs;
  return () => Date.now() < deadline;
}
