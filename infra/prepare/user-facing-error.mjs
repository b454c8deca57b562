/** An error that the operator can correct: `message` is one line that says what to do. */
export class UserFacingError extends Error {
  /** @override */
  name = 'UserFacingError';
}

/** @type {Readonly<Record<string, (path: string) => string>>} */
const lines = {
  ENOSPC: (path) => `The disk is full: free some space on the volume of ${path} and start again.`,
  EDQUOT: (path) => `The disk quota is used up: free some space in ${path} and start again.`,
  EACCES: (path) => `No permission for ${path}: start as the user who owns it, or change its owner.`,
  EPERM: (path) => `No permission for ${path}: start as the user who owns it, or change its owner.`,
  EROFS: (path) =>
    `${path} is on a read-only volume: mount it writable, or choose another folder with CMS_DATA_DIR.`,
  EMFILE: () => 'Too many files are open: raise the limit (ulimit -n) and start again.',
  ENOTDIR: (path) =>
    `${path} is not a folder, or one of the folders above it is a file: move that file away.`,
  EISDIR: (path) => `${path} is a folder where a file is needed: move it away.`,
};

/**
 * Turns a file system error into a UserFacingError.
 * @param {unknown} error
 * @param {string} path named in the line when the error names no path
 * @returns {unknown} a UserFacingError where the code is known, else the error itself
 */
export function toUserFacingError(error, path) {
  const { code, path: own } = /** @type {NodeJS.ErrnoException} */ (error ?? {});
  const line = lines[code ?? ''];
  return line ? new UserFacingError(line(own ?? path), { cause: error }) : error;
}

/**
 * The one line to print for an error: that of a UserFacingError, or one that marks the error as unexpected.
 * @param {unknown} error
 * @returns {string}
 */
export function toOneLine(error) {
  const explained = toUserFacingError(error, 'the folder of Quire');
  const message = error instanceof Error ? error.message : String(error);
  if (explained instanceof UserFacingError) return firstLine(explained.message);
  return `Unexpected failure: ${firstLine(message)}`;
}

/** @param {string} text */
const firstLine = (text) => text.slice(0, text.search(/\n|$/));
