import type { load } from './load.js';
import type { FilledSite } from './site.js';
import type { Site } from './systems.js';

/** The baseline handlers. */
export const baselineNames = ['same SQL', 'minimal'] as const;
/** The compared variants of the operations on entries. */
export const variantNames = [...baselineNames, 'single', 'distributed'] as const;

export type VariantName = (typeof variantNames)[number];

/** The prepared systems of a run, for the parts of the benchmark. */
export interface BenchContext {
  /** Two Quires with sites of the same content, and two baseline handlers. */
  variants: Record<VariantName, FilledSite>;
  single: FilledSite;
  distributed: FilledSite;
  /** Starts a Quire on the database of `single`, whose processes load a module first. */
  openBeside: (preload: string) => Promise<Site>;
  load: typeof load;
  entryCount: number;
  searchEntryCount: number;
}
