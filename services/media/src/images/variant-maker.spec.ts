import { describe, expect, it } from '@jest/globals';
import { variantsAtOnce } from './image-limits.js';
import { VariantMaker } from './variant-maker.js';

const look = { width: 64, format: 'webp', quality: 75 } as const;

describe('making variants', () => {
  it('is refused, to be asked for again, while very many wait for it', async () => {
    const maker = new VariantMaker();
    let end = () => undefined as void;
    const opened = new Promise<undefined>((done) => (end = () => done(undefined)));
    const make = () => maker.make({ mimeType: 'image/png', size: 1, open: () => opened }, look);
    const waiting = Array.from({ length: variantsAtOnce + 200 }, make);
    await expect(make()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
    end();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([undefined]));
    await expect(make()).resolves.toBeUndefined();
  });
});
