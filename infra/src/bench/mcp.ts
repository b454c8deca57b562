/** Calls and lists of the MCP server beside the same read over REST, in both arrangements. */
import { request } from 'undici';
import type { BenchContext } from './context.js';
import type { NextRequest, Operations, Runnable } from './load.js';
import type { FilledSite } from './site.js';

const path = '/_cms/api/mcp';
/** Above any rate that one run reaches, so that it measures no rate limit. */
const callsPerMinute = 100_000_000;

/** Variables of the measured systems. */
export const mcpSettings = {
  CMS_MCP_CALLS_PER_MINUTE: String(callsPerMinute),
  CMS_MCP_SITE_CALLS_PER_MINUTE: String(callsPerMinute),
};

/** The headers of a request to the MCP server. */
export const mcpHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
};

/** The body of a JSON-RPC request. */
export const rpcBody = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

/** Opens the variants of one arrangement: the ratios are to REST. */
async function variantsOf(site: FilledSite, load: BenchContext['load']): Promise<Record<string, Runnable>> {
  const { origin, processes, ids } = site;
  const headers = { ...site.headers, ...mcpHeaders };
  let index = 0;
  const nextId = () => ids[(index = (index + 1) % ids.length)];
  const post = (body: string): NextRequest => ({ method: 'POST', path, body });
  const requests: Record<string, () => NextRequest> = {
    rest: () => ({ path: `/_cms/api/content/bench/${nextId()}` }),
    content_get: () =>
      post(rpcBody('tools/call', { name: 'content_get', arguments: { collection: 'bench', id: nextId() } })),
    'tools/list': () => post(rpcBody('tools/list')),
  };
  await Promise.all(Object.values(requests).map((next) => assertSuccess(origin, headers, next())));
  return Object.fromEntries(
    Object.entries(requests).map(([label, next]) => {
      const run: Runnable['run'] = (seconds, connections) =>
        load({
          label,
          origin,
          headers: label === 'rest' ? site.headers : headers,
          next,
          seconds,
          connections,
        });
      return [label, { processes, run }];
    }),
  );
}

/** @throws Error for an unsuccessful response; failures of a tool have the status 200 */
async function assertSuccess(
  origin: string,
  headers: Record<string, string>,
  { method = 'GET', path, body }: NextRequest,
): Promise<void> {
  const response = await request(origin + path, { method, headers, body: body ?? null });
  const text = await response.body.text();
  const { result, error } = JSON.parse(text) as { result?: { isError?: boolean }; error?: object };
  if (response.statusCode !== 200 || error || result?.isError) throw new Error(`${body ?? path}: ${text}`);
}

/** Opens the variants of both arrangements. */
export async function openMcp({ single, distributed, load }: BenchContext): Promise<Operations> {
  return {
    'MCP, single': await variantsOf(single, load),
    'MCP, distributed': await variantsOf(distributed, load),
  };
}
