import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal, RequestIdentity } from '@quire/context';
import type { ToolCall } from '@quire/mcp-tools';

/** The client request that a call between services is made for. */
export interface RequestOrigin {
  requestId: string;
  clientAddress: string | null;
  /** Origin at which the client reached the site, where the operation needs it. */
  origin?: string;
  /** Trace context of the request, if it is known; else that of the call's context counts. */
  trace?: string | undefined;
}

/** The caller of an internal operation. */
export interface InternalCaller extends Partial<RequestOrigin> {
  /** The part of the installation that signs for the principal: "media". */
  issuer: string;
  principal: Principal;
}

export interface ForwardOptions {
  /** Request headers to replace, or (undefined) to remove. */
  headers?: Record<string, string | undefined>;
  /** Seconds until the response has to begin, where the default is not enough; not for services in this process. */
  timeoutSeconds?: number | undefined;
  /** Called with the status before the client receives the response of a service in another process. */
  onResponse?: ((status: number) => void) | undefined;
}

export interface RequestOptions {
  /** For a service in another process, in place of the default; a service in this process has no limit. */
  timeoutMs?: number;
}

/** The access to a service: in memory when it runs in this process, over HTTP when it runs in another. */
export interface ServiceUpstream {
  readonly service: string;
  /** True when the service runs in this process: the identity is attached to the request and no token is needed. */
  readonly isLocal: boolean;
  /** Forwards a public request; body and response are streamed. */
  handle(request: IncomingMessage, response: ServerResponse, options: ForwardOptions): void;
  /**
   * Sends a request of the installation itself: a POST with a JSON body, or a GET without one.
   * @param caller absent for a path without a declared operation: the service's part of the OpenAPI document
   * @throws QuireError when the service is unreachable, times out or closes the connection
   */
  request(
    path: string,
    body?: unknown,
    caller?: InternalCaller,
    options?: RequestOptions,
  ): Promise<{ status: number; text: string }>;
  /**
   * Calls an MCP tool of the service for a user: a function call when the service runs in this process, else a request.
   * @param options.timeoutSeconds see `ForwardOptions`
   * @param options.isSafe true for a tool that changes nothing: a failed connection is tried once more
   * @returns the JSON text of the result
   * @throws QuireError of the tool, or when the service is unreachable, times out or closes the connection; any other
   *   Error of a tool in this process
   */
  callTool(
    identity: RequestIdentity,
    call: ToolCall,
    options?: Pick<ForwardOptions, 'timeoutSeconds'> & { isSafe?: boolean },
  ): Promise<string>;
  /** Resolves when the service is ready to serve. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
