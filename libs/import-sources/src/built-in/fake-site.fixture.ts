import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { followRedirects, guardedFetch, type GuardedFetch } from '@quire/outgoing-http';
import type { ProbeContext } from '../source/import-source.js';

export type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** A site on a local port. `routes` has the responses by path and query; others are 404. */
export interface FakeSite {
  origin: string;
  routes: Record<string, Respond>;
  /** Path and query of each request. */
  requested: string[];
  close: () => Promise<void>;
}

export async function startFakeSite(): Promise<FakeSite> {
  const site: Pick<FakeSite, 'routes' | 'requested'> = { routes: {}, requested: [] };
  const server = createServer((request, response) => {
    const address = String(request.url);
    site.requested.push(address);
    const respond = site.routes[address] ?? ((_, missing) => missing.writeHead(404).end('Not found'));
    respond(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return Object.assign(site, {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close,
  });
}

export const json =
  (value: unknown, headers: Record<string, string> = {}): Respond =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));

/** The response of a list of items. */
export const total = (count: number | string) => json([], { 'x-wp-total': String(count) });

export const redirect =
  (location: string): Respond =>
  (_, response) =>
    response.writeHead(302, { location }).end();

/** Never responds. */
export const silent: Respond = () => undefined;

/** A context whose requests may reach local servers. `hosts` maps further origins to local ones. */
export function probeContext(hosts: Record<string, string> = {}, maxBytes = 100_000): ProbeContext {
  const local = followRedirects(guardedFetch({ allowLoopback: true, maxBytes }), { maxRedirects: 5 });
  const fetch: GuardedFetch = (address, request) => {
    const url = new URL(address);
    return local(`${hosts[url.origin] ?? url.origin}${url.pathname}${url.search}`, request);
  };
  return { fetch, signal: new AbortController().signal, origin: 'https://quire.example' };
}
