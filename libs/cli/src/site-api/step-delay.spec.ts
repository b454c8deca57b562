import { describe, expect, it } from '@jest/globals';
import { StepDelay } from './step-delay.js';

const { signal } = new AbortController();

/** A delay whose waits are recorded, and of which each takes `slowness` times as long. */
function recorded(slowness = 0) {
  const waits: number[] = [];
  const delay = new StepDelay(async (ms) => {
    waits.push(ms);
    await new Promise((resolve) => setTimeout(resolve, ms * slowness));
  }, signal);
  return { waits, delay };
}

/** Reads of a state that becomes another one with the last of them. */
function statesOf(...states: string[]) {
  const reads = { count: 0 };
  return { reads, readState: () => Promise.resolve(states[reads.count++] ?? '') };
}

describe('StepDelay', () => {
  it('waits for the whole delay while the state remains, and not again before the next request', async () => {
    const { waits, delay } = recorded();
    const { reads, readState } = statesOf('running', 'running', 'running', 'running');
    await delay.wait(400, { state: 'running', readState });
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(400);
    expect(reads.count).toBe(3);
  });

  it('ends when another process has changed the state', async () => {
    const { waits, delay } = recorded();
    await delay.wait(1000, { state: 'running', ...statesOf('running', 'complete') });
    expect(waits).toEqual([100, 100]);
  });

  it('reads rarely once the operation takes long', async () => {
    const { waits, delay } = recorded(20);
    await delay.wait(250, { state: 'running', ...statesOf('running', 'running', 'running') });
    expect(waits[0]).toBe(100);
    expect(waits).toHaveLength(2);
  });

  it('neither waits nor reads when the next request is due at once', async () => {
    const { waits, delay } = recorded();
    const { reads, readState } = statesOf('complete');
    await delay.wait(0, { state: 'running', readState });
    expect([waits, reads.count]).toEqual([[], 0]);
  });
});
