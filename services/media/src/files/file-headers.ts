/** Bytes that are served: those of an item, or of a variant of it. */
export interface ServedFile {
  objectKey: string;
  size: number;
  mimeType: string;
  filename: string;
}

/** What a browser may show by itself: nothing in them runs. SVG and HTML are programs and are saved instead. */
const shown =
  /^(image\/(png|jpeg|gif|webp|avif|apng|bmp|tiff|x-icon|vnd\.microsoft\.icon)|video\/[^/]+|audio\/[^/]+)$/;

/**
 * Whatever is opened is shown without scripts, without a place of its own on the site, and without asking for anything.
 */
const contentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/** Headers of a file: they keep it for good, and from being more than a file (contract 11). */
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

/** Strong: other bytes are another object. */
function etagOf({ objectKey }: ServedFile): string {
  return `"${objectKey.split('/').at(-1)}"`;
}

/** The name in ASCII for old clients, and as it is for others (RFC 6266). */
function disposition({ mimeType, filename }: ServedFile): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${shown.test(mimeType) ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${exact}`;
}
