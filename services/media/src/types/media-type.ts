const form = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** Non-standard names that some clients send. */
const aliases: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'application/x-pdf': 'application/pdf',
};

/** @returns a media type in lower case, under its standard name and without parameters; undefined when malformed. */
export function parseMediaType(text: string): string | undefined {
  const type = (text.split(';', 1)[0] ?? '').trim().toLowerCase();
  return form.test(type) ? (aliases[type] ?? type) : undefined;
}

/** Accepted types when the field names none; an entry that ends in `/` is a prefix (contract 11). */
export const defaultAllowedTypes: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'video/',
  'audio/',
  'application/pdf',
];

export function isAllowedType(type: string, allowed: readonly string[]): boolean {
  return allowed.some((entry) =>
    entry.endsWith('/') ? type.startsWith(entry) : type === entry.toLowerCase(),
  );
}
