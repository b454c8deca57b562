import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Principal } from '../actors/principal.js';

/** Identity and origin of a request, set by the gateway or by a calling service. */
export interface RequestIdentity {
  principal: Principal;
  requestId: string;
  /** The client's IP address; null if clients cannot be distinguished (decision 55). */
  clientAddress: string | null;
  /** Origin at which the client reached the site; null for a request of the system. */
  origin: string | null;
  /** Trace context (`traceparent`) of the work in progress: of the gateway, then of the service. */
  trace?: string | undefined;
  /** Id of the operation, once the request has reached it. */
  operation?: string;
}

/** Header with the ticket of a call within one process. */
const identityTicketHeader = 'x-cms-identity-ticket';

const identities = new WeakMap<IncomingMessage, RequestIdentity>();
const tickets = new Map<string, RequestIdentity>();

/** Attaches the identity to the raw request, for a service in the same process: it needs no signature. */
export function setRequestIdentity(request: IncomingMessage, identity: RequestIdentity): void {
  identities.set(request, identity);
}

export function getRequestIdentity(request: IncomingMessage): RequestIdentity | undefined {
  return identities.get(request) ?? redeemTicket(request);
}

/**
 * Runs a call within this process that has no raw request to attach an identity to.
 * @param call gets headers that represent the identity. They are valid for one request during the call.
 */
export async function withIdentityTicket<Result>(
  identity: RequestIdentity,
  call: (headers: Record<string, string>) => Promise<Result>,
): Promise<Result> {
  const ticket = randomUUID();
  tickets.set(ticket, identity);
  try {
    return await call({ [identityTicketHeader]: ticket });
  } finally {
    tickets.delete(ticket);
  }
}

function redeemTicket(request: IncomingMessage): RequestIdentity | undefined {
  const ticket = request.headers[identityTicketHeader];
  if (typeof ticket !== 'string') return undefined;
  const identity = tickets.get(ticket);
  if (!identity) return undefined;
  tickets.delete(ticket);
  identities.set(request, identity);
  return identity;
}
