import { describe, expect, it } from '@jest/globals';
import { isBase64 } from './base64.js';

describe('isBase64', () => {
  it.each(['', 'QQ==', 'QUI=', 'QUJD', '+/+/', 'QUJDRA=='])('accepts %j', (text) => {
    expect(isBase64(text)).toBe(true);
  });

  it.each(['QQ', 'QQ=', 'Q===', '====', 'Q=Q=', '-_-_', 'QUJD\n', 'QUJD QUJD', 'data:,QUJ', 'é==='])(
    'rejects %j',
    (text) => {
      expect(isBase64(text)).toBe(false);
    },
  );

  it('checks a text of 70 MB', () => {
    expect(isBase64('QUJD'.repeat(17_500_000))).toBe(true);
  });
});
