import type { Dispatcher } from 'undici';

/**
 * Reads the JSON of a response.
 * @param what names the request in the error
 * @throws Error with status and text of a response other than 2xx
 */
export async function readJson<Data>(
  what: string,
  { statusCode, body }: Pick<Dispatcher.ResponseData, 'statusCode' | 'body'>,
): Promise<Data> {
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`${what}: ${statusCode} ${text}`);
  return JSON.parse(text) as Data;
}
