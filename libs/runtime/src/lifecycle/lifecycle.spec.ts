import { describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '@quire/observability';
import { Lifecycle } from './lifecycle.js';

const lifecycle = () => new Lifecycle(createLogger({ level: 'silent', targets: ['spec'] }));

describe('stopping a process', () => {
  it('stops what was started last first, each after the other', async () => {
    const parts = lifecycle();
    const stopped: string[] = [];
    parts.started('database', () => void stopped.push('database'));
    parts.started('worker', async () => {
      await Promise.resolve();
      stopped.push('worker');
    });
    await parts.stop();
    expect(stopped).toEqual(['worker', 'database']);
  });

  it('happens once, however often it is asked for', async () => {
    const parts = lifecycle();
    const stop = jest.fn();
    parts.started('part', stop as () => void);
    await Promise.all([parts.stop(), parts.stop()]);
    expect(stop).toHaveBeenCalledTimes(1);
  });

  it('goes on past a part that fails, and past one that never ends', async () => {
    jest.useFakeTimers();
    const parts = lifecycle();
    const stop = jest.fn();
    parts.started('first', stop as () => void);
    parts.started('fails', () => Promise.reject(new Error('x')));
    parts.started('hangs', () => new Promise<void>(() => undefined));
    const stopped = parts.stop();
    await jest.advanceTimersByTimeAsync(12_000);
    await stopped;
    jest.useRealTimers();
    expect(stop).toHaveBeenCalledTimes(1);
  });
});
