import { request, type Dispatcher } from 'undici';
import type { RunningProcess } from '../process.js';

export interface OpsResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** The code of an error envelope. */
  code: string | undefined;
}

export interface OpsRequest {
  method?: Dispatcher.HttpMethod;
  headers?: Record<string, string>;
  body?: string;
}

/** Calls the operations port of a process. Redirects are not followed. */
export async function callOps(
  { opsPort }: Pick<RunningProcess, 'opsPort'>,
  path: string,
  { method = 'GET', headers = {}, body }: OpsRequest = {},
): Promise<OpsResponse> {
  const response = await request(`http://127.0.0.1:${opsPort}${path}`, {
    method,
    headers,
    // The server may close an idle connection at the moment of its next use.
    reset: true,
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.body.text();
  return { status: response.statusCode, headers: response.headers, text, code: codeOf(text) };
}

/** The headers of a program with a token. */
export const withToken = (token: string) => ({ authorization: `Bearer ${token}` });

/** The headers of a form that a browser sends from a page of the operations port. */
export const fromOwnPage = { 'sec-fetch-site': 'same-origin' };

/** Signs a browser in. @returns the response and the Cookie header of later requests */
export async function signIn(
  running: Pick<RunningProcess, 'opsPort'>,
  token: string,
  headers: Record<string, string> = fromOwnPage,
): Promise<OpsResponse & { cookie: string }> {
  const response = await callOps(running, '/ops/login', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ token }).toString(),
  });
  const [cookie = ''] = String(response.headers['set-cookie'] ?? '').split(';');
  return { ...response, cookie };
}

function codeOf(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: { code?: string } }).error?.code;
  } catch {
    return undefined;
  }
}
