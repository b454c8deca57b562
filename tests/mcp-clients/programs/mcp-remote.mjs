/** A program without OAuth that reaches the server through mcp-remote, which signs its user in. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { reportSdkClient, server } from './report.mjs';

const client = new Client({ name: 'through mcp-remote', version: '1.0.0' });
await client.connect(new StdioClientTransport({ ...server, stderr: 'inherit' }));
await reportSdkClient(client);
