import { request } from 'undici';
import { mcpHeaders, rpcBody } from '../mcp.js';

/** A tool as the list describes it. */
export interface ListedTool {
  name: string;
  title: string;
  description: string;
}

/** The result of a call. */
export interface CallResult {
  text: string;
  /** Code of a failure. */
  code: string | undefined;
}

interface RpcResponse<Result> {
  result?: Result;
  error?: { code: number; message: string };
}

interface CallToolResult {
  content: { text: string }[];
  isError?: boolean;
  _meta?: { code?: string };
}

/** A program that calls tools with one token, and counts its calls and bytes. */
export class Agent {
  readonly totals = { calls: 0, sentBytes: 0, receivedBytes: 0 };

  /** @param headers Host and Authorization */
  constructor(
    private readonly origin: string,
    private readonly headers: Record<string, string>,
  ) {}

  async listTools(): Promise<ListedTool[]> {
    return (await this.send<{ tools: ListedTool[] }>(rpcBody('tools/list'))).tools;
  }

  /** Calls a tool. @throws Error for an unknown tool, and for failures of the transport */
  async call(name: string, args: object = {}): Promise<CallResult> {
    const result = await this.send<CallToolResult>(rpcBody('tools/call', { name, arguments: args }));
    const code = result.isError ? (result._meta?.code ?? 'no code') : undefined;
    return { text: result.content[0]?.text ?? '', code };
  }

  /** Calls a tool that must succeed. @returns the value of its text @throws Error with the text of a failure */
  async use<Data = unknown>(name: string, args: object = {}): Promise<Data> {
    const { text, code } = await this.call(name, args);
    if (code !== undefined) throw new Error(`${name}: ${text}`);
    return JSON.parse(text) as Data;
  }

  private async send<Result>(body: string): Promise<Result> {
    const response = await request(`${this.origin}/_cms/api/mcp`, {
      method: 'POST',
      headers: { ...this.headers, ...mcpHeaders },
      body,
    });
    const text = await response.body.text();
    this.totals.calls += 1;
    this.totals.sentBytes += Buffer.byteLength(body);
    this.totals.receivedBytes += Buffer.byteLength(text);
    const { result, error } = JSON.parse(text) as RpcResponse<Result>;
    if (result) return result;
    throw new Error(`${body.slice(0, 200)}: ${response.statusCode} ${error?.message ?? text.slice(0, 500)}`);
  }
}
