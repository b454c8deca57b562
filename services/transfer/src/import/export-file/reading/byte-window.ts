const initialBytes = 1 << 17;

/**
 * The part of a byte stream that a scanner still needs. Positions are offsets in the stream. Appending one chunk costs
 * its length on average, however small the chunks are.
 */
export class ByteWindow {
  private memory = Buffer.allocUnsafe(initialBytes);
  private view = this.memory.subarray(0, 0);
  /** Offset in the stream of the first byte of `view`. */
  private start = 0;

  /** The offset behind the last byte that was appended. */
  get end(): number {
    return this.start + this.view.length;
  }

  append(chunk: Uint8Array): void {
    const from = this.view.byteOffset - this.memory.byteOffset;
    const needed = this.view.length + chunk.length;
    if (from + needed <= this.memory.length) {
      this.memory.set(chunk, from + this.view.length);
      this.view = this.memory.subarray(from, from + needed);
      return;
    }
    // Half of the memory stays free, so that the bytes are not moved for every chunk.
    const target = 2 * needed <= this.memory.length ? this.memory : Buffer.allocUnsafe(2 * needed);
    this.view.copy(target);
    target.set(chunk, this.view.length);
    this.memory = target;
    this.view = target.subarray(0, needed);
  }

  /** Forgets the bytes before an offset of the window. */
  discardBefore(offset: number): void {
    this.view = this.view.subarray(offset - this.start);
    this.start = offset;
  }

  /** @returns the first offset at or behind `from` that has the value, or -1 */
  indexOf(value: number | Uint8Array, from: number): number {
    const index = this.view.indexOf(value, from - this.start);
    return index === -1 ? -1 : index + this.start;
  }

  /** @returns the byte, or undefined behind the end */
  at(offset: number): number | undefined {
    return this.view[offset - this.start];
  }

  /** A view of the bytes, valid until the next `append`. */
  slice(from: number, to: number): Buffer {
    return this.view.subarray(from - this.start, to - this.start);
  }

  text(from: number, to: number): string {
    return this.view.toString('utf8', from - this.start, to - this.start);
  }
}
