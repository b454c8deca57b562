import type { IncomingMessage, ServerResponse } from 'node:http';

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
   * @param terms.withinMs how long it has to answer, where that is less than usual; a service in this process is not held to it
   * @throws QuireError when it does not answer.
   */
  ask(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
    terms?: AskTerms,
  ): Promise<{ status: number; text: string }>;
  /** Answers when the service is ready to serve. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
