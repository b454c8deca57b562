import { Agent, request, type FormData } from 'undici';
import { UserFacingError } from '../../../prepare/user-facing-error.mjs';
import type { Site } from '../systems.js';

/**
 * Sends a request to a route of imports, which may take any time.
 * @param path below `import/legacy`
 * @returns the data of the response
 */
export async function sendImport(
  { origin, headers }: Site,
  path: string,
  { body, contentType }: { body: string | FormData; contentType?: string },
): Promise<unknown> {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const response = await request(`${origin}/_cms/api/import/legacy/${path}`, {
    method: 'POST',
    dispatcher,
    headers: { ...headers, ...(contentType !== undefined && { 'content-type': contentType }) },
    body,
  });
  const { data, error } = (await response.body.json()) as { data?: unknown; error?: { message: string } };
  await dispatcher.close();
  if (error) throw new UserFacingError(`${path}: ${error.message}`);
  return data;
}
