import type { Context } from '@quire/context';

/** Rejects writing calls while writes of the site are blocked (contract 2.6). A service provides it. */
export abstract class WriteGuard {
  /** @throws QuireError with the reason. */
  abstract assertWritable(ctx: Context): Promise<void>;
}
