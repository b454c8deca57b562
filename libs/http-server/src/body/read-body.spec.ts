import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { BodyMemory } from './body-memory.js';
import { readBody } from './read-body.js';

const limits = { maxBytes: 10, timeoutMs: 1_000 };
const roomy = () => new BodyMemory({ maxBytes: 1_000, maxBytesPerTenant: 1_000 });
const read = (body: PassThrough, more: Partial<Parameters<typeof readBody>[1]> = {}) =>
  readBody(body, { contentLength: undefined, limits, memory: roomy().open('a'), ...more });
const refused = (code: string) => expect.objectContaining({ code });

afterEach(() => void jest.useRealTimers());

describe('readBody', () => {
  it('returns the text for any division of the bytes of a character', async () => {
    const body = new PassThrough();
    const reading = read(body);
    for (const byte of Buffer.from('a€ä')) body.write(Buffer.from([byte]));
    body.end();
    expect(await reading).toBe('a€ä');
  });

  it('rejects a declared length that is too large without reading', async () => {
    const body = new PassThrough();
    await expect(read(body, { contentLength: 11 })).rejects.toEqual(refused('PAYLOAD_TOO_LARGE'));
    expect(body.readableFlowing).toBeNull();
  });

  it('rejects at the first byte beyond the limit, and stops reading', async () => {
    const body = new PassThrough();
    const reading = read(body);
    body.write(Buffer.alloc(11));
    await expect(reading).rejects.toEqual(refused('PAYLOAD_TOO_LARGE'));
    expect(body.isPaused()).toBe(true);
  });

  it('rejects a body that does not arrive in time', async () => {
    jest.useFakeTimers();
    const body = new PassThrough();
    const reading = read(body);
    body.write('a');
    jest.advanceTimersByTime(1_000);
    await expect(reading).rejects.toEqual(refused('INVALID_REQUEST'));
  });

  it('rejects an incomplete body', async () => {
    const body = new PassThrough();
    const reading = read(body);
    body.destroy();
    await expect(reading).rejects.toEqual(refused('INVALID_REQUEST'));
  });

  it('rejects with the error of onChunk', async () => {
    const body = new PassThrough();
    const refusal = new Error('no');
    const reading = read(body, {
      onChunk: () => {
        throw refusal;
      },
    });
    body.write('a');
    await expect(reading).rejects.toBe(refusal);
  });
});

describe('BodyMemory', () => {
  /** Sends some bytes of a body and leaves it open. */
  async function hold(memory: BodyMemory, tenant: string, bytes: number) {
    const body = new PassThrough();
    const reading = read(body, { limits: { ...limits, maxBytes: 100 }, memory: memory.open(tenant) });
    reading.catch(() => undefined);
    body.write(Buffer.alloc(bytes));
    await turn();
    return { body, reading };
  }

  it('rejects with 503 beyond the memory of a tenant or of the process', async () => {
    const memory = new BodyMemory({ maxBytes: 50, maxBytesPerTenant: 30 });
    await hold(memory, 'a', 30);
    await expect((await hold(memory, 'a', 1)).reading).rejects.toEqual(refused('SERVICE_UNAVAILABLE'));
    await hold(memory, 'b', 20);
    await expect((await hold(memory, 'c', 1)).reading).rejects.toEqual(refused('SERVICE_UNAVAILABLE'));
  });

  it('has room for the largest announced body beside the limits', async () => {
    const memory = new BodyMemory({ maxBytes: 50, maxBytesPerTenant: 30 });
    memory.addRoomFor(60);
    memory.addRoomFor(40);
    await hold(memory, 'a', 90);
    await expect((await hold(memory, 'a', 1)).reading).rejects.toEqual(refused('SERVICE_UNAVAILABLE'));
    await hold(memory, 'b', 80);
    await expect((await hold(memory, 'c', 1)).reading).rejects.toEqual(refused('SERVICE_UNAVAILABLE'));
  });

  it('releases the bytes of a body after it is read or rejected', async () => {
    const memory = new BodyMemory({ maxBytes: 50, maxBytesPerTenant: 30 });
    for (let time = 0; time < 3; time += 1) {
      const { body, reading } = await hold(memory, 'a', 30);
      body.end();
      expect(await reading).toHaveLength(30);
      const broken = await hold(memory, 'a', 30);
      broken.body.destroy();
      await once(broken.body, 'close');
      await expect(broken.reading).rejects.toEqual(refused('INVALID_REQUEST'));
    }
  });
});
