import type { Context } from '@quire/context';

/** Rejects writes of a site while it is read-only. A service provides it (contract 2.6). */
export abstract class WriteGuard {
  /** @throws QuireError with the reason. */
  abstract assertWritable(ctx: Context): Promise<void>;
}
