import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { contentApi } from '@quire/internal-api';
import type { CacheInvalidationBus } from '@quire/jobs';

/** Messages of the rejected writes, by the reason. */
const messages = {
  MEDIA_USAGE_ACTIVATION_IN_PROGRESS:
    'The media usage index is being activated; content and schema cannot be written until that is done',
} as const satisfies Record<contentApi.FenceCode, string>;

const retryAfterSeconds = 5;

/**
 * The fences of each site, cached in the process so that a write does not read them; invalidated everywhere by relay
 * message. They keep users from working against a procedure. Completeness of change messages does not depend on them:
 * creating the triggers of a collection waits for its writers (change-subscriptions/subscribe.ts).
 */
export class ReadOnlyMode {
  private readonly byTenant = new Map<string, Promise<contentApi.FenceCode | null>>();

  constructor(private readonly relay: Pick<CacheInvalidationBus, 'invalidate'>) {}

  /**
   * @throws QuireError with the code of the fence, when one is raised; MEDIA_USAGE_ACTIVATION_CHECK_FAILED when that
   *   cannot be read
   */
  async assertWritable(ctx: Context): Promise<void> {
    const code = await this.raised(ctx);
    if (code !== null) throw new QuireError(code, messages[code], { retryAfterSeconds });
  }

  /** Raises a fence or takes it down; once it returns, this process knows. */
  async set(ctx: Context, code: contentApi.FenceCode, raised: boolean): Promise<void> {
    await ctx.db.query(
      raised
        ? 'INSERT INTO read_only_modes (code) VALUES ($1) ON CONFLICT DO NOTHING'
        : 'DELETE FROM read_only_modes WHERE code = $1',
      [code],
    );
    this.invalidate(ctx.principal.tenant.id);
    this.relay.invalidate('write-fence', ctx.principal.tenant.id);
  }

  /** Forgets the fences of one site, or of all. */
  invalidate(tenantId?: string): void {
    if (tenantId === undefined) this.byTenant.clear();
    else this.byTenant.delete(tenantId);
  }

  private raised(ctx: Context): Promise<contentApi.FenceCode | null> {
    const { id } = ctx.principal.tenant;
    const known = this.byTenant.get(id);
    if (known) return known;
    const loading = load(ctx);
    this.byTenant.set(id, loading);
    loading.catch(() => {
      if (this.byTenant.get(id) === loading) this.byTenant.delete(id);
    });
    return loading;
  }
}

async function load(ctx: Context): Promise<contentApi.FenceCode | null> {
  try {
    const [row] = await ctx.db.query<{ code: contentApi.FenceCode }>(
      'SELECT code FROM read_only_modes ORDER BY raised_at LIMIT 1',
    );
    return row?.code ?? null;
  } catch (error) {
    if (error instanceof QuireError) throw error;
    throw new QuireError(
      'MEDIA_USAGE_ACTIVATION_CHECK_FAILED',
      'The state of the media usage activation is unavailable. Retry later.',
      { retryAfterSeconds, cause: error },
    );
  }
}
