const digestRange = 1n << 256n;

/**
 * Number, bytes and digests of files in any order, in constant memory: equal totals of two lists of files mean equal
 * files, unless an attacker made them, who would need the digest of the manifest.
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
