import { performance } from 'node:perf_hooks';
import { textTable } from './table.js';

/** The seconds that each part of a run took. */
export class PartTimes {
  readonly #seconds: [part: string, seconds: number][] = [];

  /** Does a part of the run. */
  async time<Result>(part: string, work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.#seconds.push([part, (performance.now() - startedAt) / 1000]);
    }
  }

  print(): void {
    const rows = this.#seconds.map(([part, seconds]) => [part, seconds.toFixed(1)]);
    const all = this.#seconds.reduce((sum, [, seconds]) => sum + seconds, 0);
    console.log(`\n${textTable([['part of the run', 'seconds'], ...rows, ['all', all.toFixed(1)]])}`);
  }
}
