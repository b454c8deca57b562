/** The served bytes: those of an item, or of a variant of it. */
export interface ServedFile {
  objectKey: string;
  size: number;
  mimeType: string;
  filename: string;
}

/** Types that browsers may display: they have no active content. SVG and HTML have, so they are downloaded. */
const shown =
  /^(image\/(png|jpeg|gif|webp|avif|apng|bmp|tiff|x-icon|vnd\.microsoft\.icon)|video\/[^/]+|audio\/[^/]+)$/;

/** A displayed file runs no scripts, has an opaque origin, and loads nothing. */
const contentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/** Headers of a file: immutable caching, and no active content (contract 11). */
export function fileHeaders(file: ServedFile): Record<string, string> {
  return {
    'content-type': file.mimeType,
    'content-disposition': disposition(file),
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'accept-ranges': 'bytes',
    etag: etagOf(file),
  };
}

/** A strong validator: other bytes are in another object. */
function etagOf({ objectKey }: ServedFile): string {
  return `"${objectKey.split('/').at(-1)}"`;
}

/** The file name in ASCII for old clients, and in UTF-8 for others (RFC 6266). */
function disposition({ mimeType, filename }: ServedFile): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${shown.test(mimeType) ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${exact}`;
}
