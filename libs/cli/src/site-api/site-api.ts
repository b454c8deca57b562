import { z } from 'zod';
import { SiteError } from '../command-error.js';
import type { HttpClient, HttpRequest, HttpResponse } from '../http/http-client.js';
import { parseAs, readError, readJson } from '../http/read-response.js';
import type { Credentials } from './credentials.js';

const envelopeSchema = z.object({ data: z.unknown() });

/** The API of one site, called with a token. */
export class SiteApi {
  /** @param origin of the site */
  constructor(
    private readonly http: HttpClient,
    private readonly credentials: Credentials,
    readonly origin: string,
  ) {}

  /**
   * Calls an operation.
   * @param path below the API: `auth/me`
   * @param schema of the `data` of the response
   * @throws SiteError of the API; ConnectionError
   */
  async call<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    request: HttpRequest = {},
  ): Promise<z.output<Schema>> {
    const response = await this.open(path, request);
    return parseAs(schema, (await readJson(response, envelopeSchema)).data);
  }

  /**
   * Sends a request, again with a new token when the site rejects the first one.
   * @returns the response with its body unread: status below 300, or one of `statuses`
   * @throws SiteError for any other status; ConnectionError
   */
  async open(
    path: string,
    request: HttpRequest = {},
    statuses: readonly number[] = [],
  ): Promise<HttpResponse> {
    const token = await this.credentials.accessToken();
    let response = await this.send(path, request, token);
    if (response.statusCode === 401) {
      const renewed = await this.credentials.renew(token);
      if (renewed !== undefined) {
        await response.body.dump();
        response = await this.send(path, request, renewed);
      }
    }
    const { statusCode } = response;
    if (statusCode < 400 || statuses.includes(statusCode)) return response;
    throw explain(await readError(response), this.origin);
  }

  private send(path: string, request: HttpRequest, token: string): Promise<HttpResponse> {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    return this.http.send(`${this.origin}/_cms/api/${path}`, { ...request, headers });
  }
}

/** Adds what the user can do about the rights of a token. */
function explain({ message, status, code, retryAfterMs }: SiteError, origin: string): SiteError {
  return new SiteError(adviceOn({ message, status, code }, origin), status, code, retryAfterMs);
}

function adviceOn(
  { message, status, code }: Pick<SiteError, 'message' | 'status' | 'code'>,
  origin: string,
): string {
  if (code === 'INSUFFICIENT_SCOPE')
    return `The token lacks a scope (${message}): run cms login ${origin} with --scope for each scope of the command, or use a token that has them`;
  if (code === 'INSUFFICIENT_PERMISSIONS')
    return `Your role at ${origin} does not allow this (${message}): ask an Admin`;
  return status === 401 ? `${origin} rejects the token (${message}): run cms login ${origin}` : message;
}
