import { afterAll, describe, expect, it } from '@jest/globals';
import { renderingQueueLimits } from './image-limits.js';
import { ImageProcesses } from './image-processes.js';
import { ImageTransformer } from './image-transformer.js';

const spec = { width: 64, format: 'webp', quality: 75 } as const;
const processes = new ImageProcesses({ warn: () => undefined });
afterAll(() => processes.close());

describe('ImageTransformer', () => {
  it('throws SERVICE_UNAVAILABLE with a retry time while too many tasks of a tenant wait', async () => {
    const transformer = new ImageTransformer(processes);
    let end = () => undefined as void;
    const opened = new Promise<undefined>((done) => (end = () => done(undefined)));
    const make = (tenantId: string) =>
      transformer.make(tenantId, { mimeType: 'image/png', size: 1, open: () => opened }, spec);
    const { maxRunningPerTenant, maxWaitingPerTenant = 0 } = renderingQueueLimits;
    const waiting = Array.from({ length: maxRunningPerTenant + maxWaitingPerTenant }, () => make('one'));
    await expect(make('one')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
    waiting.push(make('another'));
    end();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['undecodable']));
    await expect(make('one')).resolves.toBe('undecodable');
  });
});
