import { constants } from 'node:buffer';
import { describe, expect, it } from '@jest/globals';
import { uploadLimitsOf } from './upload-limits.js';

describe('uploadLimitsOf (contract 1)', () => {
  it('gives a call room for the largest file in base64', () => {
    expect(uploadLimitsOf(50 * 1024 * 1024)).toEqual({
      maxFileBytes: 50 * 1024 * 1024,
      maxCallBytes: Math.ceil((50 * 1024 * 1024 * 4) / 3) + 64 * 1024,
    });
  });

  it('stays below the longest string', () => {
    const { maxFileBytes, maxCallBytes } = uploadLimitsOf(3 * 1024 ** 3);
    expect(maxCallBytes).toBeLessThanOrEqual(constants.MAX_STRING_LENGTH);
    expect(maxFileBytes).toBeGreaterThan(350 * 1024 * 1024);
  });
});
