import { randomUUID } from 'node:crypto';
import type { ProcessRelay, QueueBackend } from '../backend/index.js';

/**
 * What processes cache, and drop when one of them changes it. Most are per tenant; `tenants` is the registry itself.
 */
export type CacheTopic =
  'schema' | 'credentials' | 'settings' | 'users' | 'tenants' | 'write-fence' | 'media';

const everyTenant = '_all';
const namespace = 'cache';

interface Invalidation {
  tenantId: string | null;
  subject: string | null;
  /** Which relay says so. */
  from: string;
}

type InvalidationListener = (tenantId: string | undefined, subject: string | undefined) => void;

/** Broadcasts cache invalidations to every process of the installation (design 3). */
export class CacheInvalidationBus {
  private readonly id = randomUUID();
  private readonly listeners: { topic: CacheTopic; listener: InvalidationListener }[] = [];

  private constructor(private readonly relay: ProcessRelay) {}

  /** @param options.name how this process is called in dashboards. */
  static async open(options: { backend: QueueBackend; name: string }): Promise<CacheInvalidationBus> {
    return new CacheInvalidationBus(await options.backend.relay(options.name));
  }

  /**
   * Says that something of a tenant (or, without one, of all) has changed. Call it after the commit. Never throws. This
   * process drops it before the call returns, the others within a moment.
   * @param subject which one, where the cache can drop it alone: the id of a token or of a user under `credentials`.
   */
  invalidate(topic: CacheTopic, tenantId?: string, subject?: string): void {
    for (const known of this.listeners) if (known.topic === topic) known.listener(tenantId, subject);
    const invalidation: Invalidation = {
      tenantId: tenantId ?? null,
      subject: subject ?? null,
      from: this.id,
    };
    this.relay.publish(`${namespace}.${topic}.${tenantId ?? everyTenant}`, invalidation);
  }

  /**
   * Calls the listener for every drop of a topic, this process's own included: with the tenant and the subject where
   * they are named. A cache that cannot drop one subject drops the tenant.
   */
  async onInvalidate(topic: CacheTopic, listener: InvalidationListener): Promise<void> {
    await this.relay.subscribe(`${namespace}.${topic}.*`, (data) => {
      const { tenantId, subject, from } = data as Invalidation;
      // What this process says, it has heard already.
      if (from !== this.id) listener(tenantId ?? undefined, subject ?? undefined);
    });
    this.listeners.push({ topic, listener });
  }

  /** Calls the listener when drops may have been missed: everything cached by them must go. */
  onReconnect(listener: () => void): void {
    this.relay.onReconnect(listener);
  }

  async close(): Promise<void> {
    await this.relay.close();
  }
}
