import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { imageKey, VariantSignatures } from './variant-signatures.js';

const variant = { w: 640, format: 'webp', q: undefined } as const;
const signedWith = (secret: string) => ({
  ...variant,
  signature: createHmac('sha256', imageKey(secret, 'site')).update('key.jpg:640:webp:').digest('base64url'),
});

describe('VariantSignatures.isValid (decision 63)', () => {
  it('accepts the key of the site by each secret of the installation, and no other', () => {
    const signatures = new VariantSignatures(['new', 'old']);
    const isValid = (secret: string, site = 'site') =>
      signatures.isValid(site, 'key.jpg', signedWith(secret));
    expect([isValid('new'), isValid('old'), isValid('other'), isValid('new', 'other-site')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(signatures.isValid('site', 'other.jpg', signedWith('new'))).toBe(false);
  });
});
