import type { ProcessRelay, QueueBackend } from '@quire/queue';

/** What processes cache, and drop when one of them changes it. Most are per tenant; `tenants` is the registry itself. */
export type CacheTopic = 'schema' | 'credentials' | 'settings' | 'users' | 'tenants';

const everyTenant = '_all';
const namespace = 'cache';

/** "Drop this from your cache", said to every process of the installation (design 3). */
export class CacheRelay {
  private constructor(private readonly relay: ProcessRelay) {}

  /** @param options.name how this process is called in dashboards. */
  static async open(options: { backend: QueueBackend; name: string }): Promise<CacheRelay> {
    return new CacheRelay(await options.backend.relay(options.name));
  }

  /** Says that something of a tenant (or, without one, of all) has changed. Call it after the commit. Never throws. */
  drop(topic: CacheTopic, tenantId?: string): void {
    this.relay.publish(`${namespace}.${topic}.${tenantId ?? everyTenant}`, { tenantId: tenantId ?? null });
  }

  /** Calls the listener, with the tenant where one is named, for every drop of a topic, this process's own included. */
  async onDrop(topic: CacheTopic, listener: (tenantId: string | undefined) => void): Promise<void> {
    await this.relay.subscribe(`${namespace}.${topic}.*`, (data) => {
      listener((data as { tenantId: string | null }).tenantId ?? undefined);
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
