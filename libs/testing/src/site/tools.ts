import type { Client } from './client.js';

/** The result of a tool call. */
export interface ToolResult {
  isError: boolean;
  /** Code of a failure. */
  code?: string;
  details?: Record<string, unknown>;
  text: string;
  // Tests read results freely; their expectations are the type check.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  data: any;
}

interface RpcResponse {
  result?: {
    content: { type: string; text: string }[];
    isError?: boolean;
    _meta?: { code: string; details?: Record<string, unknown> };
  };
  error?: { code: number; message: string };
}

/**
 * Calls a tool of the MCP server.
 * @throws Error for a response without a result
 */
export async function callTool(client: Client, name: string, args: object = {}): Promise<ToolResult> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const response = await client.post('/mcp', body);
  const { result } = response.body as RpcResponse;
  const text = result?.content[0]?.text;
  if (!result || text === undefined) throw new Error(`${name}: ${response.status} ${response.text}`);
  if (result.isError !== true) return { isError: false, text, data: JSON.parse(text) };
  const { code, details } = result._meta ?? { code: '' };
  if (!text.startsWith(`[${code}] `))
    throw new Error(`${name}: the text does not begin with the code: ${text}`);
  return { isError: true, code, ...(details === undefined ? {} : { details }), text, data: undefined };
}
