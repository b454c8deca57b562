import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  deriveInternalKeys,
  internalTokenHeader,
  InternalTokenSigner,
  InternalTokenVerifier,
  systemActor,
} from '@quire/context';
import { createLogger } from '@quire/observability';
import { remoteDoor } from './remote-door.js';
import type { ServiceDoor } from './service-door.js';

const logger = createLogger({ level: 'silent', targets: ['spec'] });
const patience = { connectMs: 500, headersMs: 1_000, bodyMs: 1_000 };
const keys = deriveInternalKeys('a secret of at least thirty-two characters', ['gateway', 'media']);
const signer = new InternalTokenSigner(keys);
const servers: Server[] = [];
const doors: ServiceDoor[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A front server that hands everything on to a service. @returns the front's origin. */
async function inFrontOf(origin: string, headers: Record<string, string | undefined> = {}): Promise<string> {
  const door = remoteDoor('content', origin, { logger, signer, patience });
  doors.push(door);
  return serve((request, response) => door.handle(request, response, headers));
}

/** A service, and a front before it. @returns the front's origin. */
const behindADoor = async (service: RequestListener) => inFrontOf(await serve(service));

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await Promise.all(doors.splice(0).map((door) => door.close()));
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString();
}
const errorOf = async (answer: Response) => ((await answer.json()) as { error: { code: string } }).error.code;
const breakOff = (_: IncomingMessage, response: ServerResponse) => void response.destroy();

describe('handing a request on to a service in another process (design 3)', () => {
  it('keeps method, path, query, headers and body, and the answer with its status and headers', async () => {
    const front = await behindADoor((request, response) => {
      void bodyOf(request).then((body) => {
        const { method, url, headers } = request;
        response.writeHead(201, { 'x-of-service': 'yes', 'content-type': 'text/plain' });
        response.end([method, url, headers['x-custom'], body].join(' '));
      });
    });
    const answer = await fetch(`${front}/a%20b?q=1&q=2`, {
      method: 'PUT',
      headers: { 'x-custom': 'c' },
      body: 'ü',
    });
    expect([answer.status, answer.headers.get('x-of-service'), await answer.text()]).toEqual([
      201,
      'yes',
      'PUT /a%20b?q=1&q=2 c ü',
    ]);
  });

  it('replaces and removes the headers that the gateway names, and drops those of one hop', async () => {
    const service = await serve((request, response) => response.end(JSON.stringify(request.headers)));
    const front = await inFrontOf(service, { authorization: undefined, 'x-cms-internal': 'signed' });
    const answer = await fetch(front, {
      headers: { authorization: 'Bearer secret', 'x-cms-internal': 'forged', te: 'trailers' },
    });
    const seen = (await answer.json()) as Record<string, string>;
    expect(seen['x-cms-internal']).toBe('signed');
    expect(seen).not.toHaveProperty('authorization');
    expect(seen).not.toHaveProperty('te');
    expect(seen['host']).toBe(new URL(service).host);
  });

  it('streams both ways: the first part of the answer comes before the last part of the body is sent', async () => {
    const front = await behindADoor((request, response) => {
      request.on('data', (part: Buffer) => response.write(part));
      request.on('end', () => response.end());
    });
    let send = (_: string) => undefined as void;
    let end = () => undefined as void;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        send = (text) => controller.enqueue(Buffer.from(text));
        end = () => controller.close();
      },
    });
    send('first');
    const answer = await fetch(front, { method: 'POST', body, duplex: 'half' } as RequestInit);
    const reader = answer.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first');
    send('second');
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('second');
    end();
    expect((await reader?.read())?.done).toBe(true);
  });

  it('gives a body that comes slowly more time than a service has for its answer', async () => {
    const front = await behindADoor(
      (request, response) => void bodyOf(request).then((body) => response.end(body)),
    );
    const parts = Array.from({ length: 9 }, (_, index) => `part ${index} `);
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        await wait(patience.headersMs / 5);
        const part = parts.shift();
        if (part === undefined) controller.close();
        else controller.enqueue(Buffer.from(part));
      },
    });
    const sent = parts.join('');
    const answer = await fetch(front, { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect([answer.status, await answer.text()]).toEqual([200, sent]);
  });

  it('lets the service know when the client goes away', async () => {
    let gone = () => undefined as void;
    const wasTold = new Promise<void>((resolve) => (gone = resolve));
    const front = await behindADoor((_, response) => response.once('close', gone));
    const aborter = new AbortController();
    const asked = fetch(front, { signal: aborter.signal }).catch(() => undefined);
    await wait(50);
    aborter.abort();
    await wasTold;
    await asked;
  });
});

describe('a service that fails (design 3, one retry for safe methods only)', () => {
  it('is asked once more for a read whose connection broke', async () => {
    let asked = 0;
    const front = await behindADoor((request, response) => {
      asked += 1;
      if (asked === 1) breakOff(request, response);
      else response.end('second time');
    });
    expect(await (await fetch(front)).text()).toBe('second time');
    expect(asked).toBe(2);
  });

  it('is not asked a third time', async () => {
    let asked = 0;
    const front = await behindADoor((request, response) => {
      asked += 1;
      breakOff(request, response);
    });
    const answer = await fetch(front);
    expect([answer.status, await errorOf(answer), asked]).toEqual([502, 'BAD_GATEWAY', 2]);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'is never asked twice for a %s, which may have been done',
    async (method) => {
      let asked = 0;
      const front = await behindADoor((request, response) => {
        asked += 1;
        breakOff(request, response);
      });
      const answer = await fetch(front, { method });
      expect([answer.status, await errorOf(answer), asked]).toEqual([502, 'BAD_GATEWAY', 1]);
    },
  );

  it('answers 503 with Retry-After when it does not run', async () => {
    const service = await serve(() => undefined);
    servers.pop()?.close();
    const answer = await fetch(await inFrontOf(service), { method: 'POST', body: 'x' });
    expect([answer.status, answer.headers.get('retry-after'), await errorOf(answer)]).toEqual([
      503,
      '2',
      'SERVICE_UNAVAILABLE',
    ]);
  });

  it('that does not run is told as a page where people look, without the page on HEAD', async () => {
    const front = await inFrontOf('http://127.0.0.1:9');
    const answer = await fetch(`${front}/_cms/admin/login`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answer.text()).toContain('<h1>Not available just now</h1>');
    const head = await fetch(`${front}/_cms/admin/login`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([503, '']);
  });

  it('answers 504 when it takes too long, and is not asked again', async () => {
    let asked = 0;
    const front = await behindADoor(() => (asked += 1));
    const answer = await fetch(front);
    expect([answer.status, await errorOf(answer), asked]).toEqual([504, 'GATEWAY_TIMEOUT', 1]);
  });

  it.each(['admin/media-usage/repair', 'media/01ABC/confirm?x=1'])(
    'is waited for where the work is known to take long: POST %s',
    async (path) => {
      const front = await behindADoor((_, response) => void setTimeout(() => response.end('done'), 2_500));
      const answer = await fetch(`${front}/_cms/api/${path}`, { method: 'POST' });
      expect([answer.status, await answer.text()]).toEqual([200, 'done']);
    },
  );

  it('ends the client’s answer when its own breaks off in the middle, so that nobody takes a half for the whole', async () => {
    const front = await behindADoor((_, response) => {
      response.write('half');
      setTimeout(() => response.destroy(), 50);
    });
    const answer = await fetch(front);
    await expect(answer.text()).rejects.toThrow('terminated');
  });
});

describe('asking a service on Quire’s own behalf', () => {
  it('sends JSON and gives status and text', async () => {
    const origin = await serve((request, response) => {
      void bodyOf(request).then((body) =>
        response.writeHead(418).end(`${request.method} ${request.url} ${body}`),
      );
    });
    const door = remoteDoor('auth', origin, { logger, signer, patience });
    doors.push(door);
    expect(await door.ask('/a', { b: 1 })).toEqual({ status: 418, text: 'POST /a {"b":1}' });
    expect(await door.ask('/a')).toEqual({ status: 418, text: 'GET /a ' });
  });

  it('vouches for who asks with a token that is good for that question alone', async () => {
    const origin = await serve(({ headers }, response) => response.end(headers[internalTokenHeader]));
    const door = remoteDoor('auth', origin, { logger, signer, patience });
    doors.push(door);
    const principal = systemActor({ id: 'a', database: null }, 'system:media');
    const { text } = await door.ask('/a', {}, { issuer: 'media', principal });
    const verifier = new InternalTokenVerifier(keys);
    const binding = { service: 'auth', method: 'POST', path: '/a' };
    expect(verifier.verify(text, binding)).toEqual(principal);
    expect(() => verifier.verify(text, { ...binding, path: '/b' })).toThrow('another request');
  });

  it('fails with a code that says what happened', async () => {
    const origin = await serve(breakOff);
    const door = remoteDoor('auth', origin, { logger, signer, patience });
    doors.push(door);
    await expect(door.ask('/a', {})).rejects.toMatchObject({ code: 'BAD_GATEWAY' });
    servers.pop()?.close();
    await expect(door.ask('/a', {})).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('finds out whether it is ready', async () => {
    let status = 200;
    const origin = await serve((request, response) =>
      response.writeHead(request.url === '/readyz' ? status : 404).end(),
    );
    const door = remoteDoor('auth', origin, { logger, signer, patience });
    doors.push(door);
    await expect(door.ping()).resolves.toBeUndefined();
    status = 503;
    await expect(door.ping()).rejects.toThrow('auth is not ready');
  });
});
