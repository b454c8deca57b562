/** The version of Quire: in the OpenAPI document, the MCP server, site packages and metrics. */
export const version = '0.1.0';
