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

export interface RequestOptions {
  timeoutMs?: number;
}

/** How a process reaches a service: in memory when it lives here, over HTTP when it lives elsewhere. */
export interface ServiceUpstream {
  readonly service: string;
  /** True when the service runs in this process: the identity is attached to the request and no token is needed. */
  readonly isLocal: boolean;
  /**
   * Forwards a public request; body and response are streamed. `headers` replaces or (undefined) removes request
   * headers.
   */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    headers: Record<string, string | undefined>,
  ): void;
  /**
   * Calls an internal operation of the service.
   * @param caller absent for what needs no operation: the service's part of the OpenAPI document
   * @param options.timeoutMs how long it has to answer, where that is less than usual; a service in this process is not
   *   held to it
   * @throws QuireError when it does not answer.
   */
  request(
    path: string,
    body?: unknown,
    caller?: InternalCaller,
    options?: RequestOptions,
  ): Promise<{ status: number; text: string }>;
  /** Answers when the service is ready to serve. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
