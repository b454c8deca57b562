const digestRange = 1n << 256n;

/**
 * Number, bytes and the sum of digests of files in any order, in constant memory: of two lists of files with equal
 * totals, each file of one is in the other.
 */
export class FileTotals {
  count = 0;
  bytes = 0;
  private digests = 0n;

  /** @param file.sha256 hexadecimal digits */
  add({ bytes, sha256 }: { bytes: number; sha256: string }): void {
    this.count += 1;
    this.bytes += bytes;
    this.digests = (this.digests + BigInt(`0x${sha256}`)) % digestRange;
  }

  equals(other: FileTotals): boolean {
    return this.count === other.count && this.bytes === other.bytes && this.digests === other.digests;
  }
}
