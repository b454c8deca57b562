export { CallLimiter, type CallLimits } from './call-limiter.js';
export { createMcpEndpoint, type McpOptions } from './create-mcp-endpoint.js';
export type { GeneratedTool, GeneratedTools } from './generated-tool.js';
export { mcpPath, type McpEndpoint, type McpRequest } from './mcp-endpoint.js';
export { createToolSet, type ToolSet } from './tool-set.js';
