import type { load } from './load.js';
import type { FilledSite } from './site.js';
import type { Closers } from './systems.js';

/** The prepared systems of a run, for the parts of the benchmark. */
export interface BenchContext {
  /** The compared variants: two Quires, and the baseline handler. */
  variants: Record<'baseline' | 'single' | 'distributed', FilledSite>;
  single: FilledSite;
  distributed: FilledSite;
  redisUrl: string;
  closers: Closers;
  load: typeof load;
  entryCount: number;
  searchEntryCount: number;
}
