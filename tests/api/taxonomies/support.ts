import type { ApiResponse, Client } from '@quire/testing';

/** Creates a term. @throws Error unless the status is 201 */
export async function createTerm(
  client: Client,
  taxonomy: string,
  input: object,
): Promise<ApiResponse['data']> {
  const { status, data, body } = await client.post(`/taxonomies/${taxonomy}/terms`, input);
  if (status !== 201) throw new Error(`Creating the term failed: ${status} ${JSON.stringify(body)}`);
  return data.term;
}

/** Labels of the terms of an entry. @param path of the entry: "/content/posts/…" */
export async function termLabels(client: Client, path: string, taxonomy = 'tag'): Promise<string[]> {
  const { terms } = (await client.get(`${path}/terms/${taxonomy}`)).data as { terms: { label: string }[] };
  return terms.map(({ label }) => label);
}
