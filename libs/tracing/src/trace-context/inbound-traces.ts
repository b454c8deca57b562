import { isTracing } from '../spans/spans.js';
import { isSampled, parseTraceparent } from './traceparent.js';

/** Requests in a second whose clients may decide that their spans are exported. */
const maxForcedPerSecond = 10;

/** The trace that a client has begun. */
export interface InboundTrace {
  /** The context that the request continues. */
  parent?: string;
  /** The context that a trace of the request's own refers to. */
  link?: string;
}

/**
 * Accepts the trace contexts of clients. A client cannot make a process export without bound: above ten sampled
 * contexts in a second (a token bucket) a request begins a trace of its own, to which the sampler of the installation
 * applies.
 */
export class InboundTraces {
  private tokens = maxForcedPerSecond;
  private refilledAt: number;

  /** @param now the time in milliseconds */
  constructor(private readonly now: () => number = Date.now) {
    this.refilledAt = now();
  }

  /** @param header the value of `traceparent` */
  accept(header: unknown): InboundTrace {
    const given = parseTraceparent(header);
    if (given === undefined) return {};
    const isForcing = isSampled(given) && isTracing();
    return isForcing && !this.takeToken() ? { link: given } : { parent: given };
  }

  private takeToken(): boolean {
    const now = this.now();
    const refilled = this.tokens + ((now - this.refilledAt) / 1000) * maxForcedPerSecond;
    this.tokens = Math.min(maxForcedPerSecond, refilled);
    this.refilledAt = now;
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
