import type { SiteMac } from '../../site-key/index.js';
import type { Descriptor } from './passkeys.repository.js';

/**
 * How authenticators in use name their passkeys: bytes of the id, and how they are reached. Each stands for one in
 * sixteen.
 */
const kinds = [
  ...times(5, { bytes: 16, transports: ['internal', 'hybrid'] }),
  ...times(4, { bytes: 20, transports: ['internal', 'hybrid'] }),
  ...times(4, { bytes: 32, transports: ['internal'] }),
  ...times(2, { bytes: 48, transports: ['usb', 'nfc'] }),
  ...times(1, { bytes: 64, transports: ['usb'] }),
];
/** How many passkeys a user has, in the same measure. */
const counts = [...times(10, 1), ...times(5, 2), ...times(1, 3)];

/**
 * Decoy passkeys for an address that has none: deterministic per address and site, and indistinguishable from those of
 * a user without the site's key (decision 56).
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
