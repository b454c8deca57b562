import { QuireError } from '@quire/errors';

/** Why a request was shed: the process, or the site, has its maximum of requests, or the event loop is blocked. */
export const shedReasons = ['capacity', 'site-share', 'event-loop'] as const;

export type ShedReason = (typeof shedReasons)[number];

export interface LoadShedderOptions {
  /** Requests of the process at the same time. */
  maxRequests: number;
  /** The 99th percentile of the delay of the event loop in the last half second, in milliseconds. */
  eventLoopDelayMs: () => number;
  onShed?: (reason: ShedReason) => void;
}

/** The part of the requests that is left to other sites, rounded down. */
const reservedPart = 1 / 4;
const maxEventLoopDelayMs = 500;
/** With fewer requests a blocked event loop has other causes than requests. */
const minRequestsOfBlockedLoop = 64;
const retryAfterSeconds = 1;

/**
 * Rejects requests before the process collapses under them (G6): beyond the maximum of the process and of a site, and
 * while the event loop is blocked, those of sites with more than an equal share of the running requests.
 */
export class LoadShedder {
  private readonly maxOfSite: number;
  /** Running requests by site. */
  private readonly running = new Map<string, number>();
  private total = 0;

  constructor(private readonly options: LoadShedderOptions) {
    const { maxRequests } = options;
    this.maxOfSite = maxRequests - Math.floor(maxRequests * reservedPart);
  }

  /**
   * Admits a request of a site.
   * @returns a function to call once at the end of the request
   * @throws QuireError SERVICE_UNAVAILABLE with Retry-After
   */
  admit(tenantId: string): () => void {
    const reason = this.reasonToShed(tenantId);
    if (reason !== undefined) {
      this.options.onShed?.(reason);
      const holder = reason === 'capacity' ? 'The installation' : 'The site';
      throw new QuireError('SERVICE_UNAVAILABLE', `${holder} has too many requests; retry later`, {
        retryAfterSeconds,
      });
    }
    this.count(tenantId, 1);
    return () => this.count(tenantId, -1);
  }

  private reasonToShed(tenantId: string): ShedReason | undefined {
    const ofSite = this.running.get(tenantId) ?? 0;
    if (this.total >= this.options.maxRequests) return 'capacity';
    if (ofSite >= this.maxOfSite) return 'site-share';
    if (this.total < minRequestsOfBlockedLoop) return undefined;
    const equalShare = this.total / this.running.size;
    if (ofSite < equalShare || this.options.eventLoopDelayMs() < maxEventLoopDelayMs) return undefined;
    return 'event-loop';
  }

  private count(tenantId: string, change: 1 | -1): void {
    this.total += change;
    const ofSite = (this.running.get(tenantId) ?? 0) + change;
    if (ofSite === 0) this.running.delete(tenantId);
    else this.running.set(tenantId, ofSite);
  }
}
