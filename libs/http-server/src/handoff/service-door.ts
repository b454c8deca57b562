import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '@quire/context';

/** Who calls a service on Quire's own behalf. */
export interface InternalCaller {
  /** The service that vouches for the principal: "media". */
  issuer: string;
  principal: Principal;
  /** The request that the call is made for, where there is one. */
  requestId?: string;
  clientAddress?: string | null;
  /** Origin at which the client reached the site. */
  origin?: string;
}

export interface AskTerms {
  withinMs?: number;
}

/** How a process reaches a service: in memory when it lives here, over HTTP when it lives elsewhere. */
export interface ServiceDoor {
  readonly service: string;
  /** True when the service runs in this process: the handoff lies beside the request and no token is needed. */
  readonly isLocal: boolean;
  /** Hands a public request on, body and answer streaming. `headers` replaces or (undefined) removes request headers. */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    headers: Record<string, string | undefined>,
  ): void;
  /**
   * Asks the service something on Quire's own behalf.
   * @param caller absent for what needs no operation: the service's part of the OpenAPI document
   * @param terms.withinMs how long it has to answer, where that is less than usual; a service in this process is not held to it
   * @throws QuireError when it does not answer.
   */
  ask(
    path: string,
    body?: unknown,
    caller?: InternalCaller,
    terms?: AskTerms,
  ): Promise<{ status: number; text: string }>;
  /** Answers when the service is ready to serve. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
