import { beforeEach, describe, expect, it } from '@jest/globals';
import { startEventLoopMonitor } from './event-loop-delay.js';
import { LoadShedder, type ShedReason } from './load-shedder.js';

let shed: ShedReason[];
let eventLoopDelayMs: number;

beforeEach(() => {
  shed = [];
  eventLoopDelayMs = 0;
});

const shedder = (maxRequests: number) =>
  new LoadShedder({
    maxRequests,
    eventLoopDelayMs: () => eventLoopDelayMs,
    onShed: (reason) => shed.push(reason),
  });

const admit = (load: LoadShedder, tenantId: string, count: number) =>
  Array.from({ length: count }, () => load.admit(tenantId));

describe('LoadShedder (G6)', () => {
  it('leaves a quarter of the requests to other sites', () => {
    const load = shedder(8);
    const [end] = admit(load, 'a', 6);
    expect(() => load.admit('a')).toThrow(
      expect.objectContaining({
        code: 'SERVICE_UNAVAILABLE',
        retryAfterSeconds: 1,
        message: 'The site has too many requests; retry later',
      }),
    );
    admit(load, 'b', 1);
    end?.();
    admit(load, 'a', 1);
    expect(shed).toEqual(['site-share']);
  });

  it('admits no more than the maximum of the process, and again when requests end', () => {
    const load = shedder(8);
    const ends = [...admit(load, 'a', 5), ...admit(load, 'b', 3)];
    expect(() => load.admit('c')).toThrow('The installation has too many requests; retry later');
    for (const end of ends) end();
    admit(load, 'c', 6);
    expect(shed).toEqual(['capacity']);
  });

  it('sheds the requests of the busiest sites while the event loop is blocked', () => {
    const load = shedder(1_000);
    admit(load, 'a', 90);
    admit(load, 'b', 10);
    eventLoopDelayMs = 500;
    expect(() => load.admit('a')).toThrow('The site has too many requests');
    admit(load, 'b', 5);
    admit(load, 'new', 1);
    eventLoopDelayMs = 499;
    admit(load, 'a', 1);
    expect(shed).toEqual(['event-loop']);
  });

  it('sheds none of a few requests, which do not block the event loop', () => {
    eventLoopDelayMs = 10_000;
    const load = shedder(1_000);
    admit(load, 'a', 64);
    expect(() => load.admit('a')).toThrow();
    expect(shed).toEqual(['event-loop']);
  });
});

describe('startEventLoopMonitor', () => {
  it('measures a blocked event loop, and forgets it', async () => {
    const monitor = startEventLoopMonitor();
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    await wait(50);
    const end = performance.now() + 700;
    while (performance.now() < end);
    await wait(10);
    expect(monitor.delayMs()).toBeGreaterThan(500);
    // A busy machine delays timers too, but not for long.
    for (let read = 0; read < 20 && monitor.delayMs() > 500; read += 1) await wait(300);
    expect(monitor.delayMs()).toBeLessThan(500);
    monitor.stop();
  });
});
