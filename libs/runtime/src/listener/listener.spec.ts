import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Listener } from './listener.js';

describe('the HTTP server of a process', () => {
  it('says what to do when its port is taken', async () => {
    const first = await Listener.open(0, (_, response) => response.end());
    await expect(Listener.open(first.port, () => undefined)).rejects.toThrow(
      `Port ${first.port} is taken: stop what uses it, or set PORT to another one`,
    );
    await first.close();
  });

  it('lets a running request end when it closes, and takes no new one', async () => {
    let begun = () => undefined as void;
    const isRunning = new Promise<void>((resolve) => (begun = resolve));
    const listener = await Listener.open(0, (_, response) => {
      begun();
      setTimeout(() => response.end('done'), 200);
    });
    const url = `http://127.0.0.1:${listener.port}/`;
    const answer = fetch(url).then((response) => response.text());
    await isRunning;
    const closed = listener.close();
    await wait(50);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    expect(await answer).toBe('done');
    await closed;
  });
});
