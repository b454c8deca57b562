import { isUtf8 } from 'node:buffer';

const replacement = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Passes UTF-8 through in chunks and replaces invalid sequences by U+FFFD. Valid chunks are not copied. A character
 * split between two chunks is kept back until its rest arrives.
 */
export class Utf8Repair {
  private rest: Uint8Array = new Uint8Array(0);

  /** @returns valid UTF-8: the chunk and what was kept back, without an incomplete last character */
  push(chunk: Uint8Array): Uint8Array {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const end = bytes.length - incompleteTail(bytes);
    // The copy outlives the chunk, whose memory the source may use again.
    this.rest = Uint8Array.from(bytes.subarray(end));
    return repaired(bytes.subarray(0, end));
  }

  /** @returns what is left at the end: U+FFFD for an incomplete character, else nothing */
  finish(): Uint8Array {
    const last = repaired(this.rest);
    this.rest = new Uint8Array(0);
    return last;
  }
}

function repaired(bytes: Uint8Array): Uint8Array {
  return isUtf8(bytes) ? bytes : Buffer.from(replacement.decode(bytes));
}

/** The number of bytes at the end that begin a character without completing it, 0 to 3. */
function incompleteTail(bytes: Uint8Array): number {
  for (let length = 1; length <= Math.min(3, bytes.length); length += 1) {
    const byte = bytes[bytes.length - length] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return length < sequenceLength(byte) ? length : 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
