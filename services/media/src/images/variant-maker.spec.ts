import { afterAll, describe, expect, it } from '@jest/globals';
import { renderingTurns } from './image-limits.js';
import { ImageProcesses } from './image-processes.js';
import { VariantMaker } from './variant-maker.js';

const look = { width: 64, format: 'webp', quality: 75 } as const;
const processes = new ImageProcesses({ warn: () => undefined });
afterAll(() => processes.close());

describe('making variants', () => {
  it('is refused, to be asked for again, while very many of a tenant wait for it', async () => {
    const maker = new VariantMaker(processes);
    let end = () => undefined as void;
    const opened = new Promise<undefined>((done) => (end = () => done(undefined)));
    const make = (tenantId: string) =>
      maker.make(tenantId, { mimeType: 'image/png', size: 1, open: () => opened }, look);
    const { maxRunningPerTenant, maxWaitingPerTenant = 0 } = renderingTurns;
    const waiting = Array.from({ length: maxRunningPerTenant + maxWaitingPerTenant }, () => make('one'));
    await expect(make('one')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
    waiting.push(make('another'));
    end();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['undecodable']));
    await expect(make('one')).resolves.toBe('undecodable');
  });
});
