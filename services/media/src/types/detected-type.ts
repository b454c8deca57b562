import { parseMediaType } from '@quire/values';
import { fileTypeFromBuffer, supportedMimeTypes } from 'file-type';

/** Number of leading bytes from which the type of a file is detected. */
export const sampleBytes = 4_100;

/** Container types. A file with a detected container type may have a more specific declared type. */
const containers: readonly { detected: RegExp; declared: RegExp }[] = [
  {
    detected: /^application\/zip$/,
    declared: /^application\/.*(zip|officedocument|opendocument|epub|java|package|vnd\.)/,
  },
  { detected: /^application\/x-cfb$/, declared: /^application\/(msword|vnd\.ms-|x-cfb|vnd\.visio)/ },
  { detected: /^application\/xml$/, declared: /(^text\/xml|\/xml|\+xml)$/ },
  { detected: /^image\/apng$/, declared: /^image\/(a?png|vnd\.mozilla\.apng)$/ },
  { detected: /^image\/hei[cf](-sequence)?$/, declared: /^image\/hei[cf](-sequence)?$/ },
  {
    detected: /^(audio|video)\/|^application\/(ogg|mxf|vnd\.ms-asf)$/,
    declared: /^(audio|video)\/|^application\/ogg$/,
  },
];

/** Detects the type of a file from its first bytes; undefined for bytes without a known signature. */
export async function detectType(sample: Uint8Array): Promise<string | undefined> {
  const detected = await fileTypeFromBuffer(sample).catch(() => undefined);
  return detected && parseMediaType(detected.mime);
}

/**
 * Whether the bytes have another type than the declared one. Bytes without a known signature conflict only with types
 * that have one.
 */
export function conflictsWithDetected(declared: string, detected: string | undefined): boolean {
  if (detected === undefined) return hasKnownSignature(declared);
  if (detected === declared) return false;
  return !containers.some((each) => each.detected.test(detected) && each.declared.test(declared));
}

/** Audio and video have too many dialects for a reliable detection, and no active content. */
function hasKnownSignature(type: string): boolean {
  if (type === 'text/calendar' || type === 'text/vcard') return false;
  if (/^(audio|video)\//.test(type))
    return ['video/mp4', 'video/webm', 'audio/wav', 'audio/flac'].includes(type);
  return (supportedMimeTypes as ReadonlySet<string>).has(type) && type !== 'application/xml';
}
