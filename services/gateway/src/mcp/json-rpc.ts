import { parse } from 'secure-json-parse';
import { ErrorCode, JSONRPC_VERSION, type RequestId } from '@modelcontextprotocol/sdk/types.js';

/** Codes of JSON-RPC errors; the protocol's own codes of revision 2026-07-28 among them. */
export const rpcCode = {
  parseError: ErrorCode.ParseError,
  invalidRequest: ErrorCode.InvalidRequest,
  methodNotFound: ErrorCode.MethodNotFound,
  invalidParams: ErrorCode.InvalidParams,
  internalError: ErrorCode.InternalError,
  /** A rule of the transport: media types, sizes, rates. */
  transport: -32000,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

type RpcErrorCode = (typeof rpcCode)[keyof typeof rpcCode];

/** A failure that is a JSON-RPC error, not the result of a tool. */
export class RpcError extends Error {
  /**
   * @param code JSON-RPC code
   * @param status HTTP status where the error is the whole response
   */
  constructor(
    readonly code: RpcErrorCode,
    message: string,
    readonly status: number,
    readonly extra: { data?: object; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.name = 'RpcError';
  }
}

/** A JSON-RPC request or notification. */
export interface RpcMessage {
  /** Absent for a notification. */
  id?: RequestId;
  method: string;
  params: Record<string, unknown>;
}

/** @throws RpcError for text that is not JSON, or has keys that change prototypes */
export function parseJson(text: string): unknown {
  try {
    return parse(text);
  } catch {
    throw new RpcError(rpcCode.parseError, 'Parse error: the body is not valid JSON', 400);
  }
}

/**
 * The request or notification of a JSON value; undefined for a response, which the server ignores.
 * @throws RpcError for any other value
 */
export function messageOf(value: unknown): RpcMessage | undefined {
  if (!isObject(value) || value.jsonrpc !== JSONRPC_VERSION) throw notAMessage();
  const { id, method, params = {} } = value;
  // The id of an error response may be null.
  if (method === undefined && ('result' in value || 'error' in value)) return undefined;
  if (id !== undefined && !isRequestId(id)) throw notAMessage();
  if (typeof method !== 'string' || !isObject(params)) throw notAMessage();
  return { ...(id === undefined ? {} : { id }), method, params };
}

/** Text of a response. @param result JSON text */
export function resultText(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

/** Text of an error response. @param id of the request; null when it is unknown */
export function errorText(id: RequestId | null, { code, message, extra }: RpcError): string {
  const error = { code, message, ...(extra.data === undefined ? {} : { data: extra.data }) };
  return JSON.stringify({ jsonrpc: JSONRPC_VERSION, error, id });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

function notAMessage(): RpcError {
  return new RpcError(rpcCode.invalidRequest, 'Invalid Request: not a JSON-RPC 2.0 message', 400);
}
