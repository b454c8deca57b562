const form = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** Names that some clients use for a type that has another. */
const aliases: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'application/x-pdf': 'application/pdf',
};

/** A media type in lower case, without parameters and under its usual name; undefined for what is none. */
export function parseMediaType(text: string): string | undefined {
  const type = (text.split(';', 1)[0] ?? '').trim().toLowerCase();
  return form.test(type) ? (aliases[type] ?? type) : undefined;
}
