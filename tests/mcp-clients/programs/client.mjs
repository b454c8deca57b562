import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { headers, mode, reportSdkClient, url } from './report.mjs';

const client = new Client({ name: 'client', version: '1.0.0' }, { versionNegotiation: { mode } });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
await reportSdkClient(client, client.getNegotiatedProtocolVersion());
