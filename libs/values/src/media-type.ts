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

/** Storage keys of media items are a part of public addresses. */
export const storageKeyForm = /^[\w-]+(\.[\w-]+)*$/;
