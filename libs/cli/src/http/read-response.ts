import { z } from 'zod';
import { CommandError, SiteError } from '../command-error.js';
import { ConnectionError, type HttpResponse } from './http-client.js';

/** More than any JSON response that a command reads. */
const maxJsonBytes = 4 * 1024 * 1024;

/** An error of the API (contract 0), or of OAuth (RFC 6749, 5.2). */
const errorBody = z.union([
  z.object({ error: z.object({ code: z.string(), message: z.string() }) }),
  z.object({ error: z.string(), error_description: z.string().optional() }),
]);

/**
 * Reads the JSON of a response.
 * @throws SiteError for an error response; CommandError for a response that does not have the shape of the schema;
 *   ConnectionError when it breaks off
 */
export async function readJson<Schema extends z.ZodType>(
  response: HttpResponse,
  schema: Schema,
): Promise<z.output<Schema>> {
  const value = parseJson(await readText(response));
  if (response.statusCode >= 400) throw toSiteError(response, value);
  return parseAs(schema, value);
}

/** @throws CommandError for a value of a response that does not have the shape of the schema */
export function parseAs<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new CommandError('The response is not that of a Quire site: check the address');
}

/** Reads an error response. */
export async function readError(response: HttpResponse): Promise<SiteError> {
  return toSiteError(response, parseJson(await readText(response)));
}

function toSiteError(response: HttpResponse, value: unknown): SiteError {
  const { statusCode: status } = response;
  const { data } = errorBody.safeParse(value);
  const retryAfterMs = retryAfterOf(response);
  if (data === undefined)
    return new SiteError(`The site answers with status ${status}`, status, '', retryAfterMs);
  const { code, message } =
    typeof data.error === 'string'
      ? { code: data.error, message: 'error_description' in data ? data.error_description : undefined }
      : data.error;
  return new SiteError(message ?? code, status, code, retryAfterMs);
}

/** The delay of a `Retry-After` header in seconds, in milliseconds. */
function retryAfterOf({ headers }: HttpResponse): number | undefined {
  const seconds = Number(headers['retry-after'] ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

async function readText({ body }: HttpResponse): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxJsonBytes) return '';
      chunks.push(chunk);
    }
  } catch (error) {
    throw new ConnectionError('The connection ended during a response', { cause: error });
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
