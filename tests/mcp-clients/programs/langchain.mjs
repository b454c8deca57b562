import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { headers, report, url } from './report.mjs';

const client = new MultiServerMCPClient({
  mcpServers: { quire: { transport: 'http', url, headers } },
});
const tools = await client.getTools();
await report({
  list: async () => tools.map(({ name }) => name),
  call: (name, args) => tools.find((tool) => tool.name === name).invoke(args),
});
await client.close();
