/** The values that authenticators write: a Map keeps its order. */
export type CborValue = number | string | Uint8Array | Map<number | string, CborValue>;

const majorUnsigned = 0;
const majorNegative = 1;
const majorBytes = 2;
const majorText = 3;
const majorMap = 5;

/** Encodes a value as CBOR (RFC 8949), for the types that authenticators need. */
export function cbor(value: CborValue): Buffer {
  if (typeof value === 'number')
    return value < 0 ? head(majorNegative, -1 - value) : head(majorUnsigned, value);
  if (typeof value === 'string') {
    const text = Buffer.from(value, 'utf8');
    return Buffer.concat([head(majorText, text.length), text]);
  }
  if (value instanceof Uint8Array) return Buffer.concat([head(majorBytes, value.length), value]);
  const pairs = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)]);
  return Buffer.concat([head(majorMap, value.size), ...pairs]);
}

/** Type and number of an item: in one byte, two or three. */
function head(major: number, count: number): Buffer {
  const kind = major << 5;
  if (count < 24) return Buffer.from([kind | count]);
  if (count < 0x100) return Buffer.from([kind | 24, count]);
  if (count < 0x10000) return Buffer.from([kind | 25, count >> 8, count & 0xff]);
  throw new Error(`Too large for this encoder: ${count}`);
}
