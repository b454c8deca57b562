import { QuireError } from '@quire/errors';

const retryAfterSeconds = 1;

export interface BodyMemoryLimits {
  /** Maximum bytes of request bodies in memory, over all requests, without room for the largest. */
  maxBytes: number;
  /** Maximum bytes of the requests of one tenant, without room for the largest. */
  maxBytesPerTenant: number;
}

/** Counts the bytes of request bodies that a process has in memory while it receives them. */
export class BodyMemory {
  private total = 0;
  private readonly byTenant = new Map<string, number>();

  private maxBodyBytes = 0;

  constructor(private readonly limits: BodyMemoryLimits) {}

  /**
   * Adds room for bodies of a size: one for each tenant, two in total. Of several sizes the largest counts. Without it
   * a body above the limit of a tenant would never be received.
   */
  addRoomFor(bodyBytes: number): void {
    this.maxBodyBytes = Math.max(this.maxBodyBytes, bodyBytes);
  }

  /** Opens a reservation for the body of one request of a tenant. */
  open(tenantId: string): BodyReservation {
    let reserved = 0;
    return {
      add: (bytes) => {
        const ofTenant = this.byTenant.get(tenantId) ?? 0;
        const maxBytes = this.limits.maxBytes + 2 * this.maxBodyBytes;
        const maxBytesPerTenant = this.limits.maxBytesPerTenant + this.maxBodyBytes;
        if (this.total + bytes > maxBytes || ofTenant + bytes > maxBytesPerTenant) throw busy();
        reserved += bytes;
        this.total += bytes;
        this.byTenant.set(tenantId, ofTenant + bytes);
      },
      release: () => {
        this.total -= reserved;
        const left = (this.byTenant.get(tenantId) ?? 0) - reserved;
        if (left > 0) this.byTenant.set(tenantId, left);
        else this.byTenant.delete(tenantId);
        reserved = 0;
      },
    };
  }
}

export interface BodyReservation {
  /** Reserves more bytes. @throws QuireError SERVICE_UNAVAILABLE while there is no memory for them */
  add(bytes: number): void;
  /** Releases all reserved bytes. */
  release(): void;
}

function busy(): QuireError {
  return new QuireError('SERVICE_UNAVAILABLE', 'Too many large requests in progress; retry later', {
    retryAfterSeconds,
  });
}
