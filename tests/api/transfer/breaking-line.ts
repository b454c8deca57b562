import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** A request that went over the line. */
export interface LineRequest {
  /** "PUT /path" */
  call: string;
  range: string | undefined;
}

/** How requests break. */
export interface Break {
  /** Of the calls that break: "PUT /path". */
  calls: RegExp;
  /** Number of requests that break. */
  times: number;
  /** Bytes of the body after which the line breaks: that of the response, or of the request of a PUT. */
  bytes: number;
  /** Runs before the line breaks, when the bytes are sent. */
  before?: () => Promise<void> | void;
}

/** A line between a program and a server: a proxy for HTTP that breaks connections in the middle of a body. */
export interface BreakingLine {
  port: number;
  requests: LineRequest[];
  breakNext(next: Break): void;
  /** Waits until the server has answered all requests, also those whose program has ended. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a line to the server of an origin on a free port. */
export async function openLine(origin: string): Promise<BreakingLine> {
  const requests: LineRequest[] = [];
  const exchanges = new Set<Promise<void>>();
  let planned: Break | undefined;
  const takeBreak = (call: string) => {
    if (!planned || planned.times === 0 || !planned.calls.test(call)) return undefined;
    planned.times -= 1;
    return planned;
  };
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    const call = `${method} ${url}`;
    requests.push({ call, range: headers.range });
    const exchange = forward({ origin, incoming, outgoing, breaking: takeBreak(call) })
      .catch(() => void outgoing.destroy())
      .finally(() => exchanges.delete(exchange));
    exchanges.add(exchange);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    breakNext: (next) => void (planned = { ...next }),
    settle: async () => {
      while (exchanges.size > 0) await Promise.all(exchanges);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Exchange {
  origin: string;
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  breaking: Break | undefined;
}

async function forward({ origin, incoming, outgoing, breaking }: Exchange): Promise<void> {
  const { method, url, headers } = incoming;
  const upstream = request(`${origin}${url}`, { method, headers });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    upstream.once('response', resolve);
    upstream.once('error', reject);
  });
  // A broken request has no answer.
  answered.catch(() => undefined);
  if (breaking && method === 'PUT') {
    for await (const part of firstBytes(incoming, breaking.bytes)) upstream.write(part);
    await breaking.before?.();
    upstream.destroy();
    incoming.socket.destroy();
    return;
  }
  await pipeline(incoming, upstream);
  const answer = await answered;
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
  if (!breaking) return pipeline(answer, outgoing);
  for await (const part of firstBytes(answer, breaking.bytes)) outgoing.write(part);
  await breaking.before?.();
  answer.destroy();
  outgoing.destroy();
}

/** The first bytes of a body, which stays open. */
async function* firstBytes(body: IncomingMessage, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}
