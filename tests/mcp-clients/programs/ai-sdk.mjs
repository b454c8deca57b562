import { createMCPClient } from '@ai-sdk/mcp';
import { headers, report, url } from './report.mjs';

const client = await createMCPClient({ transport: { type: 'http', url, headers } });
const tools = await client.tools();
await report({
  version: client.initializeResult.protocolVersion,
  list: async () => Object.keys(tools),
  call: async (name, args) =>
    (await tools[name].execute(args, { toolCallId: '1', messages: [] })).content[0].text,
});
await client.close();
