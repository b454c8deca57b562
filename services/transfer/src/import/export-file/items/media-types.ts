/** MIME types by the extension of the file, for those that the source accepts by default. */
const typeOfExtension: ReadonlyMap<string, string> = new Map([
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['jpe', 'image/jpeg'],
  ['png', 'image/png'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['heic', 'image/heic'],
  ['bmp', 'image/bmp'],
  ['tif', 'image/tiff'],
  ['tiff', 'image/tiff'],
  ['ico', 'image/x-icon'],
  ['svg', 'image/svg+xml'],
  ['mp4', 'video/mp4'],
  ['m4v', 'video/mp4'],
  ['mov', 'video/quicktime'],
  ['qt', 'video/quicktime'],
  ['webm', 'video/webm'],
  ['ogv', 'video/ogg'],
  ['avi', 'video/x-msvideo'],
  ['wmv', 'video/x-ms-wmv'],
  ['flv', 'video/x-flv'],
  ['mpeg', 'video/mpeg'],
  ['mpg', 'video/mpeg'],
  ['mkv', 'video/x-matroska'],
  ['3gp', 'video/3gpp'],
  ['mp3', 'audio/mpeg'],
  ['m4a', 'audio/mp4'],
  ['aac', 'audio/aac'],
  ['ogg', 'audio/ogg'],
  ['oga', 'audio/ogg'],
  ['wav', 'audio/wav'],
  ['flac', 'audio/flac'],
  ['wma', 'audio/x-ms-wma'],
  ['mid', 'audio/midi'],
  ['midi', 'audio/midi'],
  ['pdf', 'application/pdf'],
  ['doc', 'application/msword'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xls', 'application/vnd.ms-excel'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['ppt', 'application/vnd.ms-powerpoint'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['odt', 'application/vnd.oasis.opendocument.text'],
  ['ods', 'application/vnd.oasis.opendocument.spreadsheet'],
  ['odp', 'application/vnd.oasis.opendocument.presentation'],
  ['rtf', 'application/rtf'],
  ['txt', 'text/plain'],
  ['csv', 'text/csv'],
  ['epub', 'application/epub+zip'],
  ['zip', 'application/zip'],
  ['gz', 'application/gzip'],
  ['tar', 'application/x-tar'],
  ['7z', 'application/x-7z-compressed'],
  ['rar', 'application/vnd.rar'],
  ['xml', 'application/xml'],
  ['json', 'application/json'],
]);
const archives: ReadonlySet<string> = new Set(
  ['zip', 'gz', 'tar', '7z', 'rar', 'xml', 'json'].map((extension) => typeOfExtension.get(extension) ?? ''),
);

export type AttachmentCategory = 'image' | 'video' | 'audio' | 'document' | 'other';

/** The type of a file by the extension of its name, or null. The bytes decide what is stored later. */
export function mimeTypeOfName(filename: string): string | null {
  const extension = /\.([a-z0-9]+)$/i.exec(filename)?.[1] ?? '';
  return typeOfExtension.get(extension.toLowerCase()) ?? null;
}

/** The group that the analysis counts an attachment in (1.2). */
export function attachmentCategory(mimeType: string | null): AttachmentCategory {
  const [family = ''] = (mimeType ?? '').split('/', 1);
  if (family === 'image' || family === 'video' || family === 'audio') return family;
  return mimeType === null || archives.has(mimeType) ? 'other' : 'document';
}
