import { constants } from 'node:buffer';

/** Bytes of a call in addition to the base64 text of a file. */
const overheadBytes = 64 * 1024;

/** Limits of tools that get a file in base64, as part of their arguments. */
export interface UploadLimits {
  /** Maximum size of the file in bytes. */
  maxFileBytes: number;
  /** Maximum size of the call in bytes. */
  maxCallBytes: number;
}

/**
 * The limits of uploads by tools: those of the site, as far as the text of a call fits into a string.
 * @param maxUploadBytes maximum size of a file of the site in bytes
 */
export function uploadLimitsOf(maxUploadBytes: number): UploadLimits {
  const maxText = constants.MAX_STRING_LENGTH - overheadBytes;
  const maxFileBytes = Math.min(maxUploadBytes, Math.floor((maxText * 3) / 4));
  return { maxFileBytes, maxCallBytes: Math.ceil((maxFileBytes * 4) / 3) + overheadBytes };
}
