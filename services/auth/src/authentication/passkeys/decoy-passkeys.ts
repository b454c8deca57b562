import type { SiteMac } from '../../site-key/index.js';
import type { Descriptor } from './passkeys.repository.js';

/** Length of the credential id and transports of common authenticators, by their share in sixteenths. */
const kinds = [
  ...times(5, { bytes: 16, transports: ['internal', 'hybrid'] }),
  ...times(4, { bytes: 20, transports: ['internal', 'hybrid'] }),
  ...times(4, { bytes: 32, transports: ['internal'] }),
  ...times(2, { bytes: 48, transports: ['usb', 'nfc'] }),
  ...times(1, { bytes: 64, transports: ['usb'] }),
];
/** Number of passkeys of a user, by its share in sixteenths. */
const counts = [...times(10, 1), ...times(5, 2), ...times(1, 3)];

/**
 * Creates decoy passkeys for an address without passkeys. They are deterministic per address and site. Without the
 * site's key they are indistinguishable from passkeys of a user (decision 56).
 */
export function decoyPasskeys(mac: SiteMac, email: string): Descriptor[] {
  const count = pick(counts, mac(email));
  return Array.from({ length: count }, (_, index) => {
    const { bytes, transports } = pick(kinds, mac(`${email}\0${index}`));
    const noise = Buffer.concat(['id', 'rest'].map((part) => mac(`${email}\0${index}\0${part}`)));
    return { type: 'public-key', id: noise.subarray(0, bytes).toString('base64url'), transports };
  });
}

function pick<Item>(items: readonly Item[], by: Buffer): Item {
  return items[by.readUInt32BE() % items.length] as Item;
}

function times<Item>(length: number, item: Item): Item[] {
  return Array.from({ length }, () => item);
}
