/** A mistake or a lack that the operator can mend: `message` is one line that says what to do. */
export class UserFacingError extends Error {
  name = 'UserFacingError';
}

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
 * @param {unknown} error what was caught
 * @param {string} path named in the line when the error names no path
 * @returns {unknown} a UserFacingError where the code is known, else the error itself
 */
export function toUserFacingError(error, path) {
  const line = lines[error?.code];
  return line ? new UserFacingError(line(error.path ?? path), { cause: error }) : error;
}

/**
 * The one line to print for an error: an operator's line as it is, anything else marked as unexpected.
 * @param {unknown} error
 */
export function toOneLine(error) {
  const explained = toUserFacingError(error, 'the folder of Quire');
  if (explained instanceof UserFacingError) return explained.message.split('\n')[0];
  return `Unexpected failure: ${String(error?.message ?? error).split('\n')[0]}`;
}
