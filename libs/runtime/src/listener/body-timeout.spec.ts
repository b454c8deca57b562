import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { limitBody } from './body-timeout.js';

const limits = { freeMs: 1_000, leastBytes: 10, intervalMs: 100 };

class FakeRequest extends EventEmitter {
  complete = false;
  readonly socket = { bytesRead: 0 };
  constructor(readonly headers: Record<string, string> = { 'content-length': '1000' }) {
    super();
  }
}

describe('limitBody', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** @returns a request whose body is watched, and the number of failures so far */
  function watch(headers?: Record<string, string>) {
    const request = new FakeRequest(headers);
    const fail = jest.fn();
    limitBody(request as unknown as IncomingMessage, limits, fail);
    return { request, failures: () => fail.mock.calls.length };
  }
  const passInterval = (request: FakeRequest, bytes: number) => {
    request.socket.bytesRead += bytes;
    jest.advanceTimersByTime(limits.intervalMs);
  };

  it('lets a body be slow in its free time, and ends it in the interval after it', () => {
    const { failures } = watch();
    jest.advanceTimersByTime(limits.freeMs);
    expect(failures()).toBe(0);
    jest.advanceTimersByTime(limits.intervalMs);
    expect(failures()).toBe(1);
    jest.advanceTimersByTime(10 * limits.freeMs);
    expect(failures()).toBe(1);
  });

  it('lets a body go on as long as enough bytes arrive', () => {
    const { request, failures } = watch({ 'transfer-encoding': 'chunked' });
    jest.advanceTimersByTime(limits.freeMs);
    for (let interval = 0; interval < 100; interval += 1) passInterval(request, limits.leastBytes);
    expect(failures()).toBe(0);
    passInterval(request, limits.leastBytes - 1);
    expect(failures()).toBe(1);
  });

  it.each(['complete', 'close'])('does not end a request after its body (%s)', (end) => {
    const { request, failures } = watch();
    if (end === 'close') request.emit('close');
    else request.complete = true;
    jest.advanceTimersByTime(10 * limits.freeMs);
    expect(failures()).toBe(0);
  });

  it('does not watch a request without a body', () => {
    const { failures } = watch({});
    jest.advanceTimersByTime(10 * limits.freeMs);
    expect(failures()).toBe(0);
  });
});
