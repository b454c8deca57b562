import { readWallClock } from './date-texts.js';

const dayMs = 86_400_000;
/** The widest offsets of real zones are -12 and +14 hours. */
const maxOffsetMinutes = 15 * 60;
const maxSamples = 4_096;

/** The JSON form of `OffsetSamples`: local times in milliseconds as if UTC, and the offsets there in minutes. */
export interface SerialisedOffsets {
  bucketMs: number;
  samples: [localMs: number, offsetMinutes: number][];
}

/**
 * The offsets from UTC that the items of a file have, for items that only have a local time (2.2). At most one sample
 * per period is kept; the period grows when there are too many, so memory is bounded.
 */
export class OffsetSamples {
  private samples = new Map<number, [localMs: number, offsetMinutes: number]>();
  private sorted: [localMs: number, offsetMinutes: number][] | null = null;
  private bucketMs = dayMs;

  /** Restores what `toJSON` returned. */
  static from({ bucketMs, samples }: SerialisedOffsets): OffsetSamples {
    const restored = new OffsetSamples();
    restored.bucketMs = bucketMs;
    for (const sample of samples) restored.samples.set(restored.bucketOf(sample[0]), [...sample]);
    return restored;
  }

  /**
   * Takes the two publication dates of an item. Pairs with a missing or invalid date, and impossible offsets, are
   * ignored.
   */
  add(local: string, gmt: string): void {
    const localDate = readWallClock(local);
    const gmtDate = readWallClock(gmt);
    if (!(localDate instanceof Date && gmtDate instanceof Date)) return;
    const offsetMinutes = Math.round((localDate.getTime() - gmtDate.getTime()) / 60_000);
    if (Math.abs(offsetMinutes) > maxOffsetMinutes) return;
    const bucket = this.bucketOf(localDate.getTime());
    if (this.samples.has(bucket)) return;
    this.samples.set(bucket, [localDate.getTime(), offsetMinutes]);
    this.sorted = null;
    while (this.samples.size > maxSamples) this.merge();
  }

  /** The offset in minutes of the sample nearest in time to a local time; 0 without samples. */
  nearest(local: Date): number {
    const sorted = (this.sorted ??= [...this.samples.values()].sort(([a], [b]) => a - b));
    const time = local.getTime();
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle]?.[0] ?? 0) < time) low = middle + 1;
      else high = middle;
    }
    const [before, after] = [sorted[low - 1], sorted[low]];
    if (before === undefined || after === undefined) return (before ?? after)?.[1] ?? 0;
    return time - before[0] <= after[0] - time ? before[1] : after[1];
  }

  toJSON(): SerialisedOffsets {
    return { bucketMs: this.bucketMs, samples: [...this.samples.values()] };
  }

  private bucketOf(time: number): number {
    return Math.floor(time / this.bucketMs);
  }

  private merge(): void {
    this.bucketMs *= 2;
    const merged = new Map<number, [number, number]>();
    for (const sample of this.samples.values()) {
      const bucket = this.bucketOf(sample[0]);
      if (!merged.has(bucket)) merged.set(bucket, sample);
    }
    this.samples = merged;
  }
}
