import { describe, expect, it, jest } from '@jest/globals';
import { VisitRecorder } from './visit-recorder.js';

describe('VisitRecorder', () => {
  it('writes both kinds of records when it stops, also if one fails, and logs one warning per outage', async () => {
    const warnings: string[] = [];
    const visitRecorder = new VisitRecorder({ warn: (_: object, text: string) => void warnings.push(text) });
    const hits = jest.spyOn(visitRecorder.hits, 'flush').mockRejectedValue(new Error('down'));
    const notFound = jest.spyOn(visitRecorder.notFound, 'flush').mockResolvedValue();
    visitRecorder.start();
    await visitRecorder.stop();
    expect([hits.mock.calls.length, notFound.mock.calls.length, warnings.length]).toEqual([1, 1, 1]);
  });
});
