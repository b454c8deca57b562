import type { Context } from '@quire/context';
import type { CacheInvalidationBus } from '@quire/jobs';
import type { TenantRegistry } from '@quire/tenancy';

/**
 * Makes the site of a context read-only while an import writes to it (contract 25): requests and tools that write are
 * rejected with TRANSFER_IMPORT_IN_PROGRESS, and workers that write on their own wait. Internal operations are not
 * rejected, so the import itself can write. The registry of sites has the state, so it outlives this process.
 */
export class WriteFence {
  constructor(
    private readonly registry: Pick<TenantRegistry, 'readOnlyReasonOf' | 'setReadOnlyReason'>,
    private readonly relay: Pick<CacheInvalidationBus, 'invalidate'>,
  ) {}

  /**
   * Makes the site read-only; repeating it changes nothing. When it returns, this process rejects writes, and the
   * others do so within a moment. Writes that have begun before may still end after it.
   */
  async raise(ctx: Context): Promise<void> {
    await this.registry.setReadOnlyReason(ctx.principal.tenant.id, 'TRANSFER_IMPORT_IN_PROGRESS');
    this.relay.invalidate('tenants');
  }

  /** Makes the site writable again; repeating it changes nothing. */
  async lift(ctx: Context): Promise<void> {
    await this.registry.setReadOnlyReason(ctx.principal.tenant.id, null);
    this.relay.invalidate('tenants');
  }

  /** Whether the site is read-only, as this process knows it: work that writes on its own waits then. */
  async isRaised(ctx: Context): Promise<boolean> {
    return (await this.registry.readOnlyReasonOf(ctx.principal.tenant.id)) !== undefined;
  }
}
