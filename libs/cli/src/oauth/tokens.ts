import { z } from 'zod';
import type { HttpClient, HttpResponse } from '../http/http-client.js';
import { readJson } from '../http/read-response.js';

/** Grant type of the device flow (RFC 8628). */
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';

/** A request for tokens ends earlier than the lock on the file of logins. */
const timeoutMs = 15_000;

const tokensSchema = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().int().positive().default(3600),
  scope: z.string().optional(),
});

/** The response of the token endpoint (RFC 6749, 5.1). */
export interface Tokens {
  accessToken: string;
  /** Absent when the earlier one stays valid. */
  refreshToken: string | undefined;
  expiresAt: string;
  /** Absent when all requested scopes are granted. */
  scopes: string[] | undefined;
}

/** Sends a form, as all endpoints of OAuth take it. @throws ConnectionError */
export function sendForm(
  http: HttpClient,
  address: string,
  fields: Record<string, string>,
  signal?: AbortSignal,
): Promise<HttpResponse> {
  return http.send(address, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    totalTimeoutMs: timeoutMs,
    signal,
  });
}

/** Requests tokens. @throws SiteError with the code of RFC 6749, 5.2, or RFC 8628, 3.5; ConnectionError */
export async function requestTokens(
  http: HttpClient,
  tokenEndpoint: string,
  fields: Record<string, string>,
  signal?: AbortSignal,
): Promise<Tokens> {
  const response = await sendForm(http, tokenEndpoint, fields, signal);
  const { access_token, refresh_token, expires_in, scope } = await readJson(response, tokensSchema);
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresAt: new Date(Date.now() + expires_in * 1000).toISOString(),
    scopes: scope?.split(' ').filter(Boolean),
  };
}

/** Revokes a token (RFC 7009), and with a refresh token its access tokens. @throws SiteError; ConnectionError */
export async function revokeToken(http: HttpClient, endpoint: string, token: string): Promise<void> {
  await readJson(await sendForm(http, endpoint, { token }), z.unknown());
}
