import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { countMaxAgeMs, QueueWindow } from './queue-window.js';

let waiting: number;
let counts: number;
let window: QueueWindow;

beforeEach(() => {
  jest.useFakeTimers();
  [waiting, counts] = [0, 0];
  window = new QueueWindow({
    waiting() {
      counts += 1;
      return Promise.resolve(waiting);
    },
  });
});
afterEach(() => void jest.useRealTimers());

/** Adds as many jobs as there is room for, while more wait, until the next count. */
async function fill(): Promise<number> {
  const room = await window.room();
  window.note({ added: room, hasHeldBack: true });
  waiting += room;
  jest.advanceTimersByTime(countMaxAgeMs);
  return room;
}

describe('QueueWindow', () => {
  it('has room for 100 jobs at first, those that wait already included', async () => {
    waiting = 30;
    expect(await window.room()).toBe(70);
    window.note({ added: 70, hasHeldBack: false });
    expect(await window.room()).toBe(0);
  });

  it('counts the waiting jobs ten times a second at most', async () => {
    for (let call = 0; call < 5; call += 1) await window.room();
    expect(counts).toBe(1);
    jest.advanceTimersByTime(countMaxAgeMs);
    await window.room();
    expect(counts).toBe(2);
  });

  it('grows to 2,000 while workers empty the queue between two counts', async () => {
    const rooms = [];
    for (let round = 0; round < 7; round += 1) {
      rooms.push(await fill());
      waiting = 0;
    }
    expect(rooms).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000]);
  });

  it('holds the work of a second of slow workers, and no less than ten jobs', async () => {
    await fill();
    // Four jobs in a tenth of a second.
    waiting -= 4;
    expect(await window.room()).toBe(0);
    window.note({ added: 0, hasHeldBack: true });
    waiting = 30;
    jest.advanceTimersByTime(1_500);
    expect(await window.room()).toBe(14);
    window.note({ added: 14, hasHeldBack: true });
    waiting = 44;
    jest.advanceTimersByTime(countMaxAgeMs);
    expect(await window.room()).toBe(0);
    window.note({ added: 0, hasHeldBack: true });
    [waiting] = [1];
    jest.advanceTimersByTime(60_000);
    expect(await window.room()).toBe(9);
  });

  it('keeps its size while it holds no job back', async () => {
    await window.room();
    window.note({ added: 5, hasHeldBack: false });
    waiting = 5;
    jest.advanceTimersByTime(countMaxAgeMs);
    expect(await window.room()).toBe(95);
  });
});
