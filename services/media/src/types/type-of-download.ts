import { mediaApi } from '@quire/internal-api';
import { parseMediaType } from '@quire/values';
import { conflictsWithDetected } from './detected-type.js';
import { isAllowedType } from './media-type.js';

/**
 * The type of a file without a reliable declaration: a server's header and an export's list may be wrong, so the bytes
 * decide (contract 1.5 of imports). A declared type counts for bytes without a known signature, and where the detected
 * one is only their container: an animated PNG is a PNG.
 * @param declared malformed ones are ignored
 * @returns undefined when nothing names a type that fits
 */
export function typeOfDownload(
  detected: string | undefined,
  declared: readonly string[],
): string | undefined {
  if (detected !== undefined && isAllowedType(detected, mediaApi.defaultAllowedTypes)) return detected;
  const fitting = declared.map(parseMediaType).find((type) => {
    return type !== undefined && !conflictsWithDetected(type, detected);
  });
  return fitting ?? detected;
}
