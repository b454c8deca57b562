import type { ProcessRelay, QueueBackend } from '@quire/queue';

/** What processes cache, and drop when one of them changes it. Most are per tenant; `tenants` is the registry itself. */
export type CacheTopic = 'schema' | 'credentials' | 'settings' | 'users' | 'tenants';

const everyTenant = '_all';
const namespace = 'cache';

interface Drop {
  tenantId: string | null;
  subject: string | null;
}

/** "Drop this from your cache", said to every process of the installation (design 3). */
export class CacheRelay {
  private constructor(private readonly relay: ProcessRelay) {}

  /** @param options.name how this process is called in dashboards. */
  static async open(options: { backend: QueueBackend; name: string }): Promise<CacheRelay> {
    return new CacheRelay(await options.backend.relay(options.name));
  }

  /**
   * Says that something of a tenant (or, without one, of all) has changed. Call it after the commit. Never throws.
   * @param subject which one, where the cache can drop it alone: the id of a token or of a user under `credentials`.
   */
  drop(topic: CacheTopic, tenantId?: string, subject?: string): void {
    const said: Drop = { tenantId: tenantId ?? null, subject: subject ?? null };
    this.relay.publish(`${namespace}.${topic}.${tenantId ?? everyTenant}`, said);
  }

  /**
   * Calls the listener for every drop of a topic, this process's own included: with the tenant and the subject where they
   * are named. A cache that cannot drop one subject drops the tenant.
   */
  async onDrop(
    topic: CacheTopic,
    listener: (tenantId: string | undefined, subject: string | undefined) => void,
  ): Promise<void> {
    await this.relay.subscribe(`${namespace}.${topic}.*`, (data) => {
      const { tenantId, subject } = data as Drop;
      listener(tenantId ?? undefined, subject ?? undefined);
    });
  }

  /** Calls the listener when drops may have been missed: everything cached by them must go. */
  onGap(listener: () => void): void {
    this.relay.onGap(listener);
  }

  async close(): Promise<void> {
    await this.relay.close();
  }
}
