const maxLength = 200;
const maxExtensionLength = 16;
const unnamed = 'file';

/** Control characters, characters that change the direction of text, and invisible ones. */
const deceptive = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

const extensions: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/avif': '.avif',
  'image/svg+xml': '.svg',
  'video/mp4': '.mp4',
  'video/webm': '.webm',
  'audio/mpeg': '.mp3',
  'application/pdf': '.pdf',
};

/**
 * Returns the stored name of a file for the name that a client sent: without folders and deceptive characters, and with
 * at most 200 characters including the extension.
 */
export function cleanFileName(given: string | undefined): string {
  const name = (given ?? '').normalize('NFC').replace(deceptive, '').split(/[/\\]/).at(-1)?.trim() ?? '';
  if (name === '' || /^\.+$/.test(name)) return unnamed;
  const characters = [...name];
  if (characters.length <= maxLength) return name;
  const ending = extensionOf(name);
  return characters.slice(0, maxLength - ending.length).join('') + ending;
}

/** Returns the extension of a storage key, so that addresses show the type of the file. */
export function fileExtension(mimeType: string, filename: string): string {
  return extensions[mimeType] ?? extensionOf(filename).toLowerCase();
}

function extensionOf(name: string): string {
  const [ending = ''] = /\.[A-Za-z0-9]+$/.exec(name) ?? [];
  return ending.length <= maxExtensionLength ? ending : '';
}
