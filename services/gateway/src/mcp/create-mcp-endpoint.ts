import { uploadLimitsOf } from '@quire/mcp-tools';
import type { Logger, Metrics } from '@quire/observability';
import type { RateLimiter } from '@quire/rate-limit';
import type { ServiceUpstream } from '@quire/service-client';
import { CallLimiter, type CallLimits } from './call-limiter.js';
import { LegacyProtocol } from './legacy-protocol.js';
import { McpEndpoint } from './mcp-endpoint.js';
import { ModernProtocol } from './modern-protocol.js';
import { ToolCaller } from './tool-caller.js';
import { createToolSet } from './tool-set.js';

export interface McpOptions {
  /** Version of the release. */
  version: string;
  /** Every service by name. */
  upstreams: ReadonlyMap<string, ServiceUpstream>;
  limiter: RateLimiter;
  callLimits: CallLimits;
  /** Maximum size of a file in bytes. */
  maxUploadBytes: number;
  /** Origins whose pages are served; undefined for all. */
  allowedOrigins: readonly string[] | undefined;
  logger: Logger;
  metrics: Metrics;
}

/** Creates the MCP server of the gateway (spec document 2). */
export function createMcpEndpoint(options: McpOptions): McpEndpoint {
  const { version, upstreams, limiter, callLimits, maxUploadBytes, allowedOrigins, logger, metrics } =
    options;
  const { maxFileBytes, maxCallBytes } = uploadLimitsOf(maxUploadBytes);
  const tools = createToolSet({ maxUploadBytes: maxFileBytes });
  const caller = new ToolCaller({ tools, upstreams, logger, metrics });
  const serverInfo = { name: 'cms', version };
  return new McpEndpoint({
    legacy: new LegacyProtocol(tools, caller, serverInfo),
    modern: new ModernProtocol(tools, caller, serverInfo),
    limiter: new CallLimiter(limiter, callLimits),
    logger,
    maxUploadCallBytes: maxCallBytes,
    allowedOrigins,
  });
}
