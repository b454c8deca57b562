import { instructions } from './instructions.js';
import { RpcError, rpcCode, type RpcMessage } from './json-rpc.js';
import { callParamsOf, type ToolCaller, type ToolRequest } from './tool-caller.js';
import type { ToolSet } from './tool-set.js';
import { defaultVersion, latestLegacyVersion, legacyVersions } from './protocol-versions.js';

export interface ServerInfo {
  name: string;
  version: string;
}

/** The methods of the revisions that begin with `initialize` (contract 1). */
export class LegacyProtocol {
  private readonly listText: string;

  constructor(
    tools: ToolSet,
    private readonly caller: ToolCaller,
    private readonly serverInfo: ServerInfo,
  ) {
    this.listText = `{"tools":${tools.listText}}`;
  }

  /** @returns JSON text of the result @throws RpcError */
  async respond({ method, params }: RpcMessage, request: ToolRequest): Promise<string> {
    if (method === 'tools/call') {
      const { text, failure } = await this.caller.call(callParamsOf(params), request);
      return JSON.stringify({
        content: [{ type: 'text', text }],
        ...(failure ? { isError: true, _meta: failure } : {}),
      });
    }
    if (method === 'tools/list') return this.listText;
    if (method === 'ping' || method === 'logging/setLevel') return '{}';
    if (method === 'initialize') return JSON.stringify(this.initialize(params));
    throw new RpcError(rpcCode.methodNotFound, 'Method not found', 200);
  }

  private initialize({ protocolVersion }: RpcMessage['params']) {
    if (typeof protocolVersion !== 'string')
      throw new RpcError(rpcCode.invalidParams, 'Invalid params: protocolVersion must be a string', 200);
    return {
      protocolVersion: legacyVersions.includes(protocolVersion) ? protocolVersion : latestLegacyVersion,
      capabilities: { tools: { listChanged: true }, logging: {} },
      serverInfo: this.serverInfo,
      instructions,
    };
  }
}

/**
 * The revision that a request names in its header.
 * @throws RpcError for an unknown revision
 */
export function legacyVersionOf(header: string | string[] | undefined): string {
  if (header === undefined) return defaultVersion;
  if (typeof header === 'string' && legacyVersions.includes(header)) return header;
  const supported = legacyVersions.join(', ');
  throw new RpcError(
    rpcCode.transport,
    `Bad Request: Unsupported protocol version (supported versions: ${supported})`,
    400,
  );
}
