const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const timeLength = 10;
const randomLength = 16;

/** A ULID: the time in milliseconds, then 80 random bits. */
export function createUlid(now = Date.now()): string {
  let time = '';
  for (let rest = now, index = 0; index < timeLength; index += 1, rest = Math.floor(rest / 32))
    time = `${alphabet[rest % 32]}${time}`;
  const random = crypto.getRandomValues(new Uint8Array(randomLength));
  return time + Array.from(random, (byte) => alphabet[byte % 32]).join('');
}
