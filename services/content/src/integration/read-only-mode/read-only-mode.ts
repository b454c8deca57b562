import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { contentApi } from '@quire/internal-api';
import type { WriteGuard } from '@quire/http-server';
import type { CacheInvalidationBus } from '@quire/jobs';
import { TenantCache } from '@quire/tenancy';
import { deleteReason, insertReason, selectOldestReason } from './read-only-mode.repository.js';

/** Messages of the rejected writes, by the reason. */
const messages = {
  MEDIA_USAGE_ACTIVATION_IN_PROGRESS:
    'Content and schema are read-only until the media usage index is activated. Retry later.',
} as const satisfies Record<contentApi.FenceCode, string>;

const retryAfterSeconds = 5;

const maxCachedSites = 10_000;

/**
 * The read-only mode of each site, cached in the process so that a write does not read it; invalidated everywhere by
 * relay message. It keeps users from writing during a procedure. Completeness of change messages does not depend on it:
 * creating the triggers of a collection waits for its writers (change-subscriptions/subscribe.ts).
 */
export class ReadOnlyMode implements WriteGuard {
  /** The oldest reason of each site; null for a writable one. */
  private readonly reasons = new TenantCache<contentApi.FenceCode | null>({
    name: 'read_only_modes',
    max: maxCachedSites,
  });

  constructor(private readonly relay: Pick<CacheInvalidationBus, 'invalidate'>) {}

  /**
   * @throws QuireError with the reason's code in read-only mode; MEDIA_USAGE_ACTIVATION_CHECK_FAILED when the mode
   *   cannot be read
   */
  async assertWritable(ctx: Context): Promise<void> {
    const rejection = await this.rejectionOf(ctx);
    if (rejection) throw new QuireError(rejection.code, rejection.message, { retryAfterSeconds });
  }

  /**
   * @returns the error of rejected writes; null if the site is writable
   * @throws QuireError MEDIA_USAGE_ACTIVATION_CHECK_FAILED
   */
  async rejectionOf(ctx: Context): Promise<contentApi.WriteRejection | null> {
    const code = await this.reasons.get(ctx.principal.tenant.id, '', () => loadReason(ctx));
    return code === null ? null : { code, message: messages[code], retryAfterSeconds };
  }

  /** Adds or removes a reason. When it returns, this process applies the change. */
  async set(ctx: Context, code: contentApi.FenceCode, raised: boolean): Promise<void> {
    if (raised) await insertReason(ctx.db, code);
    else await deleteReason(ctx.db, code);
    this.invalidate(ctx.principal.tenant.id);
    this.relay.invalidate('write-fence', ctx.principal.tenant.id);
  }

  /** Removes the cached mode of one site, or of all. */
  invalidate(tenantId?: string): void {
    this.reasons.invalidate(tenantId);
  }
}

async function loadReason(ctx: Context): Promise<contentApi.FenceCode | null> {
  try {
    return await selectOldestReason(ctx.db);
  } catch (error) {
    if (error instanceof QuireError) throw error;
    throw new QuireError(
      'MEDIA_USAGE_ACTIVATION_CHECK_FAILED',
      'The state of the media usage activation is unavailable. Retry later.',
      { retryAfterSeconds, cause: error },
    );
  }
}
