/** The argument of each program, as JSON: the server, and what the client does. */
export const { url, token, mode, server } = JSON.parse(process.argv[2]);

export const headers = { Authorization: `Bearer ${token}` };

/**
 * Prints what a client receives: the tools, and the results of two calls.
 * @param {object} client
 * @param {() => Promise<string[]>} client.list the names of the tools
 * @param {(name: string, args: object) => Promise<string>} client.call the text of a result
 * @param {string} [client.version] the negotiated revision
 */
export async function report({ list, call, version }) {
  const tools = await list();
  const menus = await call('menu_list', {});
  const entry = await call('content_get', { collection: 'posts', id: 'hello' });
  process.stdout.write(JSON.stringify({ version, tools, menus, entry }));
}

/** Of a client of an SDK of the protocol. */
export async function reportSdkClient(client, version) {
  await report({
    version,
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => (await client.callTool({ name, arguments: args })).content[0].text,
  });
  await client.close();
}
