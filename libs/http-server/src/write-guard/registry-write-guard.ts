import type { Context } from '@quire/context';
import { assertNotReadOnly, type ReadOnlyReasons } from '@quire/tenancy';
import type { WriteGuard } from './write-guard.js';

/** Rejects writes of sites that the registry has as read-only: an import writes to them (contract 25). */
export class RegistryWriteGuard implements WriteGuard {
  constructor(private readonly registry: ReadOnlyReasons) {}

  /** @throws QuireError TRANSFER_IMPORT_IN_PROGRESS; TRANSFER_FENCE_CHECK_FAILED when the registry cannot be read */
  assertWritable({ principal }: Context): Promise<void> {
    return assertNotReadOnly(this.registry, principal.tenant.id);
  }
}

/** The guard that asks several guards: with several reasons, the first one counts. */
export function firstReasonOf(...guards: readonly WriteGuard[]): WriteGuard {
  return {
    async assertWritable(ctx) {
      for (const guard of guards) await guard.assertWritable(ctx);
    },
  };
}
