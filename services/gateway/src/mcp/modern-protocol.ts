import type { IncomingHttpHeaders } from 'node:http';
import { instructions } from './instructions.js';
import { isObject, RpcError, rpcCode, type RpcMessage } from './json-rpc.js';
import type { ServerInfo } from './legacy-protocol.js';
import { modernVersion } from './protocol-versions.js';
import { callParamsOf, type ToolCaller, type ToolRequest } from './tool-caller.js';
import type { ToolSet } from './tool-set.js';

const metaKey = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

const versionHeader = 'mcp-protocol-version';
const cacheHints = { ttlMs: 60_000, cacheScope: 'private' } as const;
const base64Value = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/** The methods of revision 2026-07-28, whose requests are independent of each other (contract 17). */
export class ModernProtocol {
  private readonly listText: string;
  private readonly discoverText: string;

  constructor(
    tools: ToolSet,
    private readonly caller: ToolCaller,
    private readonly serverInfo: ServerInfo,
  ) {
    const common = { resultType: 'complete', _meta: this.metaOf(), ...cacheHints };
    this.listText = `${JSON.stringify(common).slice(0, -1)},"tools":${tools.listText}}`;
    this.discoverText = JSON.stringify({
      ...common,
      supportedVersions: [modernVersion],
      capabilities: { tools: {} },
      instructions,
    });
  }

  /** @returns JSON text of the result @throws RpcError */
  async respond({ method, params }: RpcMessage, request: ToolRequest): Promise<string> {
    if (method === 'tools/call') {
      const { text, failure } = await this.caller.call(callParamsOf(params), request);
      return JSON.stringify({
        resultType: 'complete',
        content: [{ type: 'text', text }],
        ...(failure ? { isError: true } : {}),
        _meta: { ...failure, ...this.metaOf() },
      });
    }
    if (method === 'tools/list') return this.listText;
    if (method === 'server/discover') return this.discoverText;
    throw new RpcError(rpcCode.methodNotFound, 'Method not found', 404);
  }

  private metaOf() {
    return { [metaKey.serverInfo]: this.serverInfo };
  }
}

/** Whether a body claims a revision of the era without `initialize`, also an unknown one. */
export function claimsVersion({ params }: RpcMessage): boolean {
  const { _meta: meta } = params;
  return isObject(meta) && meta[metaKey.version] !== undefined;
}

/**
 * Whether a message is of the modern era: by its body, or by the header of a request whose body lacks the claim.
 * `initialize` only exists in older revisions.
 */
export function isModern(message: RpcMessage, headers: IncomingHttpHeaders): boolean {
  if (claimsVersion(message)) return true;
  const { id, method } = message;
  return id !== undefined && method !== 'initialize' && headers[versionHeader] === modernVersion;
}

/**
 * Checks a request of the modern revision before it is executed: proxies decide by the headers, so they must agree with
 * the body.
 * @throws RpcError
 */
export function assertModernRequest({ method, params }: RpcMessage, headers: IncomingHttpHeaders): void {
  const meta = isObject(params._meta) ? params._meta : {};
  const requested = meta[metaKey.version];
  if (requested === undefined) throw missingMeta(metaKey.version);
  assertSame(versionHeader, headers[versionHeader], requested);
  if (requested !== modernVersion)
    throw new RpcError(rpcCode.unsupportedVersion, 'Unsupported protocol version', 400, {
      data: { supported: [modernVersion], requested },
    });
  assertSame('mcp-method', headers['mcp-method'], method);
  if (method === 'tools/call') assertSame('mcp-name', decoded(headers['mcp-name']), params.name);
  if (!isObject(meta[metaKey.capabilities])) throw missingMeta(metaKey.capabilities);
}

function assertSame(name: string, value: string | string[] | undefined, expected: unknown): void {
  if (value === undefined || value !== expected)
    throw new RpcError(rpcCode.headerMismatch, `Header mismatch: ${name} differs from the body`, 400);
}

/** A name that is not plain ASCII is sent in base64. */
function decoded(value: string | string[] | undefined): string | string[] | undefined {
  const encoded = typeof value === 'string' ? base64Value.exec(value)?.[1] : undefined;
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}

function missingMeta(key: string): RpcError {
  return new RpcError(rpcCode.invalidParams, `Invalid params: _meta["${key}"] is missing`, 400);
}
