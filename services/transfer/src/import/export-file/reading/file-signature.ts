import { assertNoForeignSignature } from '../encoding/detect-encoding.js';
import { ExportFileError } from '../export-file-error.js';
import { htmlFault } from './element-scanner.js';

/** How many bytes `assertLooksLikeXml` looks at. */
export const signatureBytes = 512;

/**
 * Refuses what is not XML before it is scanned, with a reason that a user understands (2.1).
 * @param head the first bytes of the normalised file
 * @throws ExportFileError
 */
export function assertLooksLikeXml(head: Uint8Array): void {
  assertNoForeignSignature(head);
  const text = Buffer.from(head.subarray(0, signatureBytes)).toString('utf8').trimStart();
  if (text === '') throw new ExportFileError('the file is empty');
  if (text.includes('\0')) throw new ExportFileError('the file is not encoded as it declares');
  if (/^<(!doctype\s+html|html)[\s>]/i.test(text)) throw new ExportFileError(htmlFault, 1);
  if (!text.startsWith('<')) throw new ExportFileError('the file is not XML', 1);
}
