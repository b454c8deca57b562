/** Both bounds are inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Parses the Range header of a request for a file of a size in bytes (RFC 9110, 14.2). Multiple ranges, other units and
 * malformed headers are ignored, as the RFC permits: the response has the whole file.
 * @returns undefined for the whole file, 'unsatisfiable' for a range outside of it
 */
export function parseByteRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}
