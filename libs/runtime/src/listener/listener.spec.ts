import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Listener } from './listener.js';

describe('Listener', () => {
  it('throws with advice when its port is in use', async () => {
    const first = await Listener.open(0, (_, response) => response.end());
    await expect(Listener.open(first.port, () => undefined)).rejects.toThrow(
      `Port ${first.port} is taken: stop what uses it, or set PORT to another one`,
    );
    await first.close();
  });

  it('finishes a running request on close, and accepts no new one', async () => {
    let begun = () => undefined as void;
    const isRunning = new Promise<void>((resolve) => (begun = resolve));
    const listener = await Listener.open(0, (_, response) => {
      begun();
      setTimeout(() => response.end('done'), 200);
    });
    const url = `http://127.0.0.1:${listener.port}/`;
    const received = fetch(url).then((response) => response.text());
    await isRunning;
    const closed = listener.close();
    await wait(50);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    expect(await received).toBe('done');
    await closed;
  });

  it('serves while it drains, and closes each connection after its response', async () => {
    const listener = await Listener.open(0, (_, response) => response.end('served'));
    const url = `http://127.0.0.1:${listener.port}/`;
    expect((await fetch(url)).headers.get('connection')).toBe('keep-alive');
    listener.beginDrain();
    const response = await fetch(url);
    expect([response.headers.get('connection'), await response.text()]).toEqual(['close', 'served']);
    await listener.close();
  });

  it('listens on one address only, if it is given', async () => {
    const listener = await Listener.open(0, (_, response) => response.end(), { host: '127.0.0.1' });
    expect((await fetch(`http://127.0.0.1:${listener.port}/`)).status).toBe(200);
    await expect(fetch(`http://127.0.0.2:${listener.port}/`)).rejects.toThrow('fetch failed');
    await listener.close();
  });

  const answerAtOnce = (lingerMs: number) =>
    Listener.open(
      0,
      (request, response) => {
        request.resume();
        response.end('refused');
      },
      { lingerMs },
    );
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  const chunk = '5\r\nbytes\r\n';

  it('closes the connection of a client whose body does not end after the response', async () => {
    const listener = await answerAtOnce(100);
    const client = connect(listener.port, '127.0.0.1', () => client.write(head));
    const sending = setInterval(() => client.write(chunk), 10);
    // A closed connection may also cause an error event first.
    client.on('error', () => undefined).resume();
    await new Promise((closed) => client.once('close', closed));
    clearInterval(sending);
    await listener.close();
  });

  it('answers and closes a connection whose body does not arrive in its time', async () => {
    const bodyLimits = { freeMs: 10, leastBytes: 1, intervalMs: 10 };
    const listener = await Listener.open(0, (request) => request.resume(), { lingerMs: 100, bodyLimits });
    const client = connect(listener.port, '127.0.0.1', () => client.write(head + chunk));
    let text = '';
    client.on('error', () => undefined).on('data', (data: Buffer) => (text += data.toString()));
    await new Promise((closed) => client.once('close', closed));
    expect(text).toContain('"code":"INVALID_REQUEST"');
    await listener.close();
  });

  it('keeps a connection whose body ends soon after its response', async () => {
    const lingerMs = 1_000;
    const listener = await answerAtOnce(lingerMs);
    const client = connect(listener.port, '127.0.0.1', () => client.write(head + chunk));
    let text = '';
    client.on('data', (data: Buffer) => (text += data.toString()));
    const responseCount = () => text.split('refused').length - 1;
    await once(client, 'data');
    client.write('0\r\n\r\n');
    await wait(lingerMs + 200);
    client.write(`${head}0\r\n\r\n`);
    while (responseCount() < 2) await once(client, 'data');
    client.destroy();
    await listener.close();
  });

  /** The response to raw text, up to the end of the connection. */
  async function answerTo(text: string) {
    const listener = await Listener.open(0, (_, response) => response.end('read'), { lingerMs: 100 });
    const client = connect(listener.port, '127.0.0.1', () => client.write(text));
    let received = '';
    client.on('data', (data: Buffer) => (received += data.toString())).on('error', () => undefined);
    await new Promise((closed) => client.once('close', closed));
    await listener.close();
    return received;
  }

  it('accepts an address with documented parameters of maximum length', async () => {
    const address = `/?filter=${'%E8%A8%98'.repeat(2 * 8_192)}`;
    const response = await answerTo(`GET ${address} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(response).toContain('HTTP/1.1 200 OK');
  });

  it.each([
    [
      'an address that is too long',
      `GET /${'x'.repeat(300_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'a header that is too long',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(2_000_000)}\r\n\r\n`,
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    ['what is no HTTP', 'HELLO\r\n\r\n', 400, 'INVALID_REQUEST'],
  ])('responds to %s with the envelope and the default headers', async (_, text, status, code) => {
    const [head = '', body = ''] = (await answerTo(text)).split('\r\n\r\n');
    expect(head.split(' ')[1]).toBe(String(status));
    expect(head).toContain('x-content-type-options: nosniff');
    expect(head).toContain('cache-control: private, no-store');
    expect(JSON.parse(body)).toMatchObject({ success: false, error: { code } });
  });

  it('writes nothing into a pending response', async () => {
    const listener = await Listener.open(0, (_, response) => void response.write('begun'));
    const client = connect(listener.port, '127.0.0.1', () => client.write(head));
    let received = '';
    client.on('data', (data: Buffer) => {
      received += data.toString();
      if (received.includes('begun')) client.write('what is no chunk\r\n');
    });
    client.on('error', () => undefined);
    await new Promise((closed) => client.once('close', closed));
    expect(received).not.toContain('INVALID_REQUEST');
    await listener.close();
  });
});
