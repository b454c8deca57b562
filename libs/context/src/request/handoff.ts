import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Principal } from '../actors/principal.js';

/** What is known about a request before a service takes it: from the gateway, or from a service that calls another. */
export interface Handoff {
  principal: Principal;
  requestId: string;
  /** The client's IP address; null where clients cannot be told apart (decision 55). */
  clientAddress: string | null;
  /** Origin at which the client reached the site; null for a request of Quire's own. */
  origin: string | null;
}

/** Header in which a call within one process carries its ticket. */
export const handoffTicketHeader = 'x-cms-handoff-ticket';

const handoffs = new WeakMap<IncomingMessage, Handoff>();
const tickets = new Map<string, Handoff>();

/** Lays the handoff beside the raw request, for a service in the same process: nothing to sign, nothing to forge. */
export function attachHandoff(request: IncomingMessage, handoff: Handoff): void {
  handoffs.set(request, handoff);
}

export function attachedHandoff(request: IncomingMessage): Handoff | undefined {
  return handoffs.get(request) ?? redeemTicket(request);
}

/**
 * Runs a call within this process that has no raw request to lay a handoff beside.
 * @param call is given the headers that stand for the handoff. They are good for one request during the call.
 */
export async function withHandoffTicket<Result>(
  handoff: Handoff,
  call: (headers: Record<string, string>) => Promise<Result>,
): Promise<Result> {
  const ticket = randomUUID();
  tickets.set(ticket, handoff);
  try {
    return await call({ [handoffTicketHeader]: ticket });
  } finally {
    tickets.delete(ticket);
  }
}

function redeemTicket(request: IncomingMessage): Handoff | undefined {
  const ticket = request.headers[handoffTicketHeader];
  if (typeof ticket !== 'string') return undefined;
  const handoff = tickets.get(ticket);
  if (!handoff) return undefined;
  tickets.delete(ticket);
  handoffs.set(request, handoff);
  return handoff;
}
