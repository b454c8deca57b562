const maxAgeMs = 600_000;
const minuteMs = 60_000;

type Counts = ReadonlyMap<string, number>;

/** Rates of numbers that only grow, such as those of finished jobs, from their reads of the last ten minutes. */
export class Throughput {
  private reads: { at: number; counts: Counts }[] = [];

  /**
   * Adds a read of the numbers.
   * @param at its time, in milliseconds
   * @returns the growth of each number in a minute, since the earliest of those reads; null without an earlier one
   */
  perMinute(counts: Counts, at = Date.now()): Map<string, number | null> {
    this.reads = [...this.reads.filter((read) => at - read.at <= maxAgeMs), { at, counts }];
    const [first] = this.reads;
    const rateOf = (name: string, count: number) => {
      const before = first?.counts.get(name);
      if (first === undefined || before === undefined || at <= first.at) return null;
      // A store that was emptied counts from 0.
      return (Math.max(0, count - before) * minuteMs) / (at - first.at);
    };
    return new Map([...counts].map(([name, count]) => [name, rateOf(name, count)]));
  }
}
