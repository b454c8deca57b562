import type { Context } from '@quire/context';
import type { Progress } from './activation.schemas.js';

/** The index of what was written before changes were tracked. */
export interface UsageHistory {
  /** How much of it there is. */
  progress(ctx: Context): Promise<Progress>;
  /** Indexes one collection that is not indexed yet, if there is one. */
  advance(ctx: Context): Promise<void>;
}
