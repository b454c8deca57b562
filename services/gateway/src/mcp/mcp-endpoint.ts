import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { IncomingMessage } from 'node:http';
import type { Principal, RequestIdentity } from '@quire/context';
import { QuireError } from '@quire/errors';
import { apiPrefix, BodyMemory, JsonScanner, readBody } from '@quire/http-server';
import type { Logger } from '@quire/observability';
import { memberTexts } from '@quire/values';
import type { CallLimiter } from './call-limiter.js';
import {
  errorText,
  parseJson,
  messageOf,
  resultText,
  RpcError,
  rpcCode,
  type RpcMessage,
} from './json-rpc.js';
import { legacyVersionOf, type LegacyProtocol } from './legacy-protocol.js';
import { sendResult, sendRpcError, sendUnauthorized, toRpcError, type Exchange } from './mcp-response.js';
import { assertAcceptable, assertJson } from './media-types.js';
import { assertModernRequest, claimsVersion, isModern, type ModernProtocol } from './modern-protocol.js';
import { hasBatches } from './protocol-versions.js';
import type { ToolRequest } from './tool-caller.js';

/** Path of the MCP server. */
export const mcpPath = `${apiPrefix}/mcp`;

export interface McpEndpointDeps {
  legacy: LegacyProtocol;
  modern: ModernProtocol;
  limiter: CallLimiter;
  logger: Logger;
  /** Maximum size of a call with a file in base64, in bytes. */
  maxUploadCallBytes: number;
  /** Origins whose pages are served; undefined for all. */
  allowedOrigins: readonly string[] | undefined;
}

/** A request, with the authentication that precedes its body. */
export interface McpRequest extends Exchange {
  /** Origin of the site. */
  origin: string;
  /** @throws QuireError NOT_AUTHENTICATED, INVALID_TOKEN, or when the credentials cannot be verified */
  authenticate: () => Promise<Principal>;
  identityOf: (principal: Principal) => RequestIdentity;
}

const mebibyte = 1024 * 1024;
const maxBodyBytes = 4 * mebibyte;
const maxBatchLength = 100;
const bodyTimeoutMs = 30_000;
/** Scopes whose tokens may upload files. */
const uploadScopes = ['media:write', 'admin'];

/**
 * Streamable HTTP without sessions and event streams: one request has one response (spec document 2, Transport). No
 * object of a client outlives its request.
 */
export class McpEndpoint {
  private readonly memory = new BodyMemory({ maxBytes: 128 * mebibyte, maxBytesPerTenant: 48 * mebibyte });
  private readonly maxUploadBodyBytes: number;

  constructor(private readonly deps: McpEndpointDeps) {
    this.maxUploadBodyBytes = Math.max(maxBodyBytes, deps.maxUploadCallBytes);
    this.memory.addRoomFor(this.maxUploadBodyBytes);
  }

  /** Responds to a request. Never rejects. */
  async handle(mcp: McpRequest): Promise<void> {
    try {
      if (mcp.request.method !== 'POST') throw new RpcError(rpcCode.transport, 'Method not allowed.', 405);
      this.assertOrigin(mcp.request.headers.origin);
      const principal = await principalOf(mcp);
      if (principal) sendResult(mcp, await this.respond(mcp, principal));
    } catch (error) {
      const failed = error instanceof FailedRequest ? error : { id: null, cause: error };
      this.log(mcp, failed.cause);
      sendRpcError(mcp, failed.id, toRpcError(failed.cause));
    }
  }

  /** @returns the text of the response; undefined for a body without requests @throws FailedRequest, RpcError */
  private async respond(mcp: McpRequest, principal: Principal): Promise<string | undefined> {
    const { request } = mcp;
    assertAcceptable(request.headers.accept);
    assertJson(request.headers['content-type']);
    await this.countCalls(principal, 1);
    const text = await this.readText(request, principal);
    const body = parseJson(text);
    const toolRequest: ToolRequest = {
      identity: mcp.identityOf(principal),
      argumentsText: () => memberTexts(text, 'params').get('arguments'),
    };
    if (Array.isArray(body)) return this.respondToBatch(mcp, body, { ...toolRequest, argumentsText: noText });
    const message = messageOf(body);
    if (!message) return undefined;
    return this.respondToOne(request, message, toolRequest);
  }

  private async respondToOne(
    { headers }: IncomingMessage,
    message: RpcMessage,
    toolRequest: ToolRequest,
  ): Promise<string | undefined> {
    const { id } = message;
    try {
      const modern = isModern(message, headers);
      if (modern) assertModernRequest(message, headers);
      // `initialize` agrees on the version: the header is for the requests after it.
      else if (message.method !== 'initialize') legacyVersionOf(headers['mcp-protocol-version']);
      if (id === undefined) return undefined;
      const protocol = modern ? this.deps.modern : this.deps.legacy;
      return resultText(id, await protocol.respond(message, toolRequest));
    } catch (error) {
      throw new FailedRequest(id ?? null, error);
    }
  }

  /** Executes the requests of a batch in order, one after the other: a call may depend on the one before. */
  private async respondToBatch(
    mcp: McpRequest,
    batch: readonly unknown[],
    toolRequest: ToolRequest,
  ): Promise<string | undefined> {
    if (!hasBatches(legacyVersionOf(mcp.request.headers['mcp-protocol-version'])))
      throw invalidRequest('this protocol version has no batches');
    if (batch.length === 0) throw invalidRequest('the batch is empty');
    if (batch.length > maxBatchLength) throw invalidRequest(`a batch has ${maxBatchLength} messages at most`);
    const messages = batch.flatMap((value) => messageOf(value) ?? []);
    if (messages.some(({ method }) => method === 'initialize'))
      throw invalidRequest('initialize must not be part of a batch');
    // Its headers cannot agree with several bodies.
    if (messages.some(claimsVersion)) throw invalidRequest('this protocol version has no batches');
    if (batch.length > 1) await this.countCalls(toolRequest.identity.principal, batch.length - 1);
    const texts: string[] = [];
    for (const message of messages) {
      const { id } = message;
      if (id === undefined) continue;
      try {
        texts.push(resultText(id, await this.deps.legacy.respond(message, toolRequest)));
      } catch (error) {
        this.log(mcp, error);
        texts.push(errorText(id, toRpcError(error)));
      }
    }
    return texts.length === 0 ? undefined : `[${texts.join(',')}]`;
  }

  private async countCalls({ tenant, tokenId = '' }: Principal, count: number): Promise<void> {
    const retryAfterSeconds = await this.deps.limiter.consume(tenant.id, tokenId, count);
    if (retryAfterSeconds === undefined) return;
    const message = `Too many calls: retry after ${retryAfterSeconds} seconds`;
    throw new RpcError(rpcCode.transport, message, 429, { retryAfterSeconds });
  }

  private assertOrigin(origin: string | undefined): void {
    const { allowedOrigins } = this.deps;
    if (allowedOrigins && origin !== undefined && !allowedOrigins.includes(origin))
      throw new RpcError(rpcCode.transport, 'Forbidden: this Origin is not allowed', 403);
  }

  private readText(request: IncomingMessage, { tenant, scopes = [] }: Principal): Promise<string> {
    const length = request.headers['content-length'];
    const mayUpload = scopes.some((scope) => uploadScopes.includes(scope));
    const scanner = new JsonScanner();
    return readBody(request, {
      contentLength: length === undefined ? undefined : Number(length),
      limits: { maxBytes: mayUpload ? this.maxUploadBodyBytes : maxBodyBytes, timeoutMs: bodyTimeoutMs },
      memory: this.memory.open(tenant.id),
      onChunk: (chunk) => scanner.scan(chunk),
    });
  }

  /** Logs a failure whose cause the client does not get. */
  private log({ response }: Exchange, error: unknown): void {
    if (error instanceof RpcError || (error instanceof QuireError && error.status !== 500)) return;
    this.deps.logger.error({ requestId: response.getHeader('x-request-id'), err: error }, 'request failed');
  }
}

/** The failure of a request whose id is known. */
class FailedRequest extends Error {
  constructor(
    readonly id: RequestId | null,
    cause: unknown,
  ) {
    super('The request failed', { cause });
  }
}

/** The caller; undefined after a response to missing or invalid credentials. @throws QuireError */
async function principalOf(mcp: McpRequest): Promise<Principal | undefined> {
  try {
    return await mcp.authenticate();
  } catch (error) {
    if (!(error instanceof QuireError) || error.status !== 401) throw error;
    sendUnauthorized(mcp, error, mcp.origin);
    return undefined;
  }
}

/** A batch loses the precision of its numbers. */
const noText = () => undefined;

function invalidRequest(reason: string): RpcError {
  return new RpcError(rpcCode.invalidRequest, `Invalid Request: ${reason}`, 400);
}
