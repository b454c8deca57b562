import type { ApiResponse, Client } from '@quire/testing';

let count = 0;

/**
 * Creates a byline; slug and display name are unique unless given.
 * @returns the byline
 * @throws Error for any status but 201
 */
export async function createByline(client: Client, input: object = {}): Promise<ApiResponse['data']> {
  count += 1;
  const body = { slug: `person-${count}`, displayName: `Person ${count}`, ...input };
  const { status, data, body: received } = await client.post('/admin/bylines', body);
  if (status !== 201) throw new Error(`Creating the byline failed: ${status} ${JSON.stringify(received)}`);
  return data;
}

export const updateByline = (client: Client, id: string, body: object) =>
  client.put(`/admin/bylines/${id}`, body);

export const translateByline = (client: Client, id: string, body: object) =>
  client.post(`/admin/bylines/${id}/translations`, body);
