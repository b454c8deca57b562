import type { IncomingMessage } from 'node:http';
import type { Principal } from '../actors/principal.js';

/** What the gateway learned about a request before it handed it on. */
export interface Handoff {
  principal: Principal;
  requestId: string;
  /** The client's IP address, where a trusted proxy told it. */
  clientAddress: string | null;
}

const handoffs = new WeakMap<IncomingMessage, Handoff>();

/** Lays the handoff beside the raw request, for a service in the same process: nothing to sign, nothing to forge. */
export function attachHandoff(request: IncomingMessage, handoff: Handoff): void {
  handoffs.set(request, handoff);
}

export function attachedHandoff(request: IncomingMessage): Handoff | undefined {
  return handoffs.get(request);
}
