import { randomUUID } from 'node:crypto';
import type { ProcessRelay, QueueBackend } from '../backend/index.js';

/** Subjects of caches that a change in another process invalidates. Most are per tenant; `tenants` is the registry. */
export type CacheTopic =
  'schema' | 'credentials' | 'settings' | 'users' | 'tenants' | 'write-fence' | 'media';

const everyTenant = '_all';
const namespace = 'cache';

interface Invalidation {
  tenantId: string | null;
  subject: string | null;
  /** Id of the sending relay. */
  from: string;
}

type InvalidationListener = (tenantId: string | undefined, subject: string | undefined) => void;

/** Broadcasts cache invalidations to every process of the installation (design 3). */
export class CacheInvalidationBus {
  private readonly id = randomUUID();
  private readonly listeners: { topic: CacheTopic; listener: InvalidationListener }[] = [];

  private constructor(private readonly relay: ProcessRelay) {}

  /** @param options.name name of this process in dashboards */
  static async open(options: { backend: QueueBackend; name: string }): Promise<CacheInvalidationBus> {
    return new CacheInvalidationBus(await options.backend.relay(options.name));
  }

  /**
   * Announces a change of a subject of a tenant, or of all tenants. Call it after the commit. Never throws. This
   * process invalidates its caches before the call returns, the others within a moment.
   * @param subject the changed entry, for caches that can drop a single one: the id of the user whose credentials
   *   changed under `credentials`
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
   * Calls the listener for every invalidation of a topic, including those of this process: with the tenant and the
   * subject if they are given. A cache that cannot drop one subject drops the tenant.
   */
  async onInvalidate(topic: CacheTopic, listener: InvalidationListener): Promise<void> {
    await this.relay.subscribe(`${namespace}.${topic}.*`, (data) => {
      const { tenantId, subject, from } = data as Invalidation;
      // This process handled its messages when it sent them.
      if (from !== this.id) listener(tenantId ?? undefined, subject ?? undefined);
    });
    this.listeners.push({ topic, listener });
  }

  /** Calls the listener when invalidations may have been missed: all dependent cache entries must be dropped. */
  onReconnect(listener: () => void): void {
    this.relay.onReconnect(listener);
  }

  async close(): Promise<void> {
    await this.relay.close();
  }
}
