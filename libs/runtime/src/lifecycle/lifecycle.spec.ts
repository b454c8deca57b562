import { describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '@quire/observability';
import { Lifecycle } from './lifecycle.js';

const lifecycle = () => new Lifecycle(createLogger({ level: 'silent', targets: ['spec'] }));

describe('Lifecycle.stop', () => {
  it('stops components in reverse order of start, one after the other', async () => {
    const parts = lifecycle();
    const stopped: string[] = [];
    parts.onShutdown('database', () => void stopped.push('database'));
    parts.onShutdown('worker', async () => {
      await Promise.resolve();
      stopped.push('worker');
    });
    await parts.stop();
    expect(stopped).toEqual(['worker', 'database']);
  });

  it('runs once when called repeatedly', async () => {
    const parts = lifecycle();
    const stop = jest.fn();
    parts.onShutdown('part', stop as () => void);
    await Promise.all([parts.stop(), parts.stop()]);
    expect(stop).toHaveBeenCalledTimes(1);
  });

  it('continues after a component that fails or hangs', async () => {
    jest.useFakeTimers();
    const parts = lifecycle();
    const stop = jest.fn();
    parts.onShutdown('first', stop as () => void);
    parts.onShutdown('fails', () => Promise.reject(new Error('x')));
    parts.onShutdown('hangs', () => new Promise<void>(() => undefined));
    const stopped = parts.stop();
    await jest.advanceTimersByTimeAsync(12_000);
    await stopped;
    jest.useRealTimers();
    expect(stop).toHaveBeenCalledTimes(1);
  });

  it('ends within 20 seconds, however many components hang', async () => {
    jest.useFakeTimers();
    const parts = lifecycle();
    const stop = jest.fn();
    parts.onShutdown('first', stop as () => void);
    for (let count = 0; count < 5; count += 1)
      parts.onShutdown('hangs', () => new Promise<void>(() => undefined));
    const stopped = parts.stop();
    await jest.advanceTimersByTimeAsync(20_100);
    await stopped;
    jest.useRealTimers();
    expect(stop).toHaveBeenCalledTimes(1);
  });

  it('drains before the first component stops', async () => {
    const parts = lifecycle();
    const order: string[] = [];
    parts.beforeShutdown(async () => {
      await Promise.resolve();
      order.push('drained');
    });
    parts.onShutdown('listener', () => void order.push('listener'));
    await parts.stop();
    expect(order).toEqual(['drained', 'listener']);
  });
});
