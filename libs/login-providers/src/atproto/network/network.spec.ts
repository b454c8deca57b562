import { describe, expect, it } from '@jest/globals';
import { createNetwork } from './network.js';

describe('createNetwork', () => {
  it.each([
    'https://127.0.0.1',
    'http://127.0.0.1:80',
    'https://localhost',
    'https://10.0.0.1',
    'http://example.com',
  ])('does not reach %s', async (address) => {
    await expect(createNetwork().fetch(address)).rejects.toMatchObject({ name: 'DisallowedAddressError' });
  });
});
