import { describe, expect, it, jest } from '@jest/globals';
import { SiteTraffic } from './site-traffic.js';

describe('what visitors leave behind', () => {
  it('is written when the process stops, each kind whatever becomes of the other, with one line an outage', async () => {
    const warnings: string[] = [];
    const traffic = new SiteTraffic({ warn: (_: object, text: string) => void warnings.push(text) });
    const hits = jest.spyOn(traffic.hits, 'flush').mockRejectedValue(new Error('down'));
    const notFound = jest.spyOn(traffic.notFound, 'flush').mockResolvedValue();
    traffic.start();
    await traffic.stop();
    expect([hits.mock.calls.length, notFound.mock.calls.length, warnings.length]).toEqual([1, 1, 1]);
  });
});
