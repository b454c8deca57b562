import { setTimeout as wait } from 'node:timers/promises';
import {
  callTool,
  type ApiResponse,
  type Client,
  type RequestOptions,
  type ToolResult,
} from '@quire/testing';

export const modernVersion = '2026-07-28';

/** The id and the result or error of a response. */
export interface RpcResponse {
  jsonrpc: string;
  id: string | number | null;
  // Tests read results freely; their expectations are the type check.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  result?: any;
  error?: { code: number; message: string; data?: object };
}

/** Sends one request of JSON-RPC. */
export function rpc(
  client: Client,
  method: string,
  params: object = {},
  options: RequestOptions = {},
): Promise<ApiResponse> {
  return client.post('/mcp', { jsonrpc: '2.0', id: 1, method, params }, options);
}

export const toolCall = (name: string, args: object = {}, id: string | number = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

/** Status and code of a JSON-RPC error. */
export function rpcError({ status, body }: ApiResponse): [number, number | undefined] {
  return [status, (body as RpcResponse).error?.code];
}

/** The result of a response. */
export function resultOf({ body }: ApiResponse): RpcResponse['result'] {
  return (body as RpcResponse).result;
}

/** `_meta` of a request of the revision without `initialize`. */
export const modernMeta = (changes: Record<string, unknown> = {}) => ({
  'io.modelcontextprotocol/protocolVersion': modernVersion,
  'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
  ...changes,
});

/** Sends one request of that revision; a change to undefined leaves a header or a member of `_meta` out. */
export function modernRpc(
  client: Client,
  method: string,
  params: Record<string, unknown> = {},
  { headers = {}, meta = {} }: { headers?: Record<string, string | undefined>; meta?: object } = {},
): Promise<ApiResponse> {
  const { name } = params;
  const sent = {
    'mcp-protocol-version': modernVersion,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    ...headers,
  };
  return rpc(client, method, { ...params, _meta: { ...modernMeta(), ...meta } }, { headers: sent });
}

/** Shorter than the tools ask for, and long enough for the limit of calls. */
const maxDelayMs = 200;

/** Calls a tool that takes one step of a site transfer until none is left. @returns the last result */
export async function repeatStep(client: Client, tool: string, args: object): Promise<ToolResult['data']> {
  for (;;) {
    const { isError, text, data } = await callTool(client, tool, args);
    if (isError) throw new Error(`${tool} failed: ${text}`);
    if (data.nextRequestInMs === null) return data;
    await wait(Math.min(data.nextRequestInMs as number, maxDelayMs));
  }
}
