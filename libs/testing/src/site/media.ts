import { request } from 'undici';
import type { ApiResponse, Client, RequestOptions } from './client.js';
import type { TestSystem } from './test-system.js';

const boundary = 'quire-test-boundary';

/** A part of a multipart form. With a type or a file name it is a file. */
export interface FormPart {
  name: string;
  value: string | Uint8Array;
  filename?: string;
  type?: string;
}

/** The body of a multipart form and its Content-Type, for `rawBody`. */
export function multipartForm(parts: readonly FormPart[]): Required<Pick<RequestOptions, 'headers'>> & {
  rawBody: Buffer;
} {
  const chunks = parts.flatMap(({ name, value, filename, type }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n${
        type === undefined ? '' : `Content-Type: ${type}\r\n`
      }\r\n`,
    ),
    typeof value === 'string' ? Buffer.from(value) : value,
    Buffer.from('\r\n'),
  ]);
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    rawBody: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

/** Uploads a file directly. @param fields further fields of the form */
export function uploadFile(
  client: Client,
  file: { bytes: string | Uint8Array; type: string; filename?: string },
  fields: Record<string, string> = {},
): Promise<ApiResponse> {
  const { bytes, type, filename = 'file' } = file;
  const others = Object.entries(fields).map(([name, value]) => ({ name, value }));
  return client.post(
    '/media',
    undefined,
    multipartForm([...others, { name: 'file', value: bytes, filename, type }]),
  );
}

/** An image with unique bytes. */
export async function createImage({
  width = 8,
  height = 6,
  format = 'png',
}: {
  width?: number;
  height?: number;
  format?: 'png' | 'jpeg' | 'webp' | 'gif' | 'avif' | 'tiff';
} = {}): Promise<Buffer> {
  const noise = Buffer.from(
    Array.from({ length: width * height * 3 }, () => Math.floor(Math.random() * 256)),
  );
  const { default: sharp } = await import('sharp');
  return sharp(noise, { raw: { width, height, channels: 3 } })
    .toFormat(format)
    .toBuffer();
}

/**
 * A camera's photo: stored rotated, and shown upright by its metadata.
 * @param stored dimensions in its header
 */
export async function createRotatedPhoto(stored: { width: number; height: number }): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(await createImage(stored))
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

/** An animation of plain images, each of another colour than the one before. */
export async function createAnimation({
  pictures,
  width = 8,
  height = 6,
  format = 'gif',
}: {
  pictures: number;
  width?: number;
  height?: number;
  format?: 'gif' | 'webp';
}): Promise<Buffer> {
  const tint = Math.floor(Math.random() * 256);
  const frames = Array.from({ length: pictures }, (_, index) =>
    Buffer.alloc(width * height * 3, Buffer.from([(index % 2) * 255, (index * 37) % 256, tint])),
  );
  const raw = { width, height: height * pictures, channels: 3, pageHeight: height } as const;
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.concat(frames), { raw }).toFormat(format).toBuffer();
}

/** Requests a file. @returns the response with its bytes */
export async function download(
  system: TestSystem,
  host: string,
  path: string,
  options: { method?: 'GET' | 'HEAD'; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }> {
  const { method = 'GET', headers = {} } = options;
  const response = await request(system.origin + path, { method, headers: { host, ...headers } });
  return {
    status: response.statusCode,
    headers: response.headers,
    bytes: Buffer.from(await response.body.arrayBuffer()),
  };
}
