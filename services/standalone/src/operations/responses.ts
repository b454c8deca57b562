import type { ServerResponse } from 'node:http';
import { securityHeaders, successText, toErrorResponse, type QuireError } from '@quire/errors';
import { pageHeaders } from '@quire/ui';

const json = { 'content-type': 'application/json; charset=utf-8', ...securityHeaders };

/** Responds with a page. */
export function sendPage(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { ...securityHeaders, ...pageHeaders() }).end(body);
}

/** Responds with the success envelope. */
export function sendData(response: ServerResponse, data: unknown, status = 200): void {
  response.writeHead(status, json).end(successText(data));
}

/** Responds with JSON without the envelope, for the scripts of the dashboard. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, json).end(status === 204 ? undefined : JSON.stringify(body));
}

/** Responds with the error envelope. */
export function sendError(response: ServerResponse, error: QuireError): void {
  const { status, headers, body } = toErrorResponse(error);
  response.writeHead(status, { ...json, ...headers }).end(JSON.stringify(body));
}

/** Responds with a redirect that the browser follows by GET. */
export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { ...securityHeaders, location }).end();
}
