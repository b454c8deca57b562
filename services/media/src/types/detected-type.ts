import { fileTypeFromBuffer, supportedMimeTypes } from 'file-type';
import { parseMediaType } from './media-type.js';

/** How many of the first bytes of a file tell its type. */
export const sampleBytes = 4_100;

/**
 * Types that others are made of: bytes that are known as one of these may be of a type that is declared more exactly.
 */
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

/** The type that the first bytes of a file tell; undefined when they tell none. */
export async function detectType(sample: Uint8Array): Promise<string | undefined> {
  const detected = await fileTypeFromBuffer(sample).catch(() => undefined);
  return detected && parseMediaType(detected.mime);
}

/**
 * Whether the bytes are of another type than the declared one. Bytes that tell no type are believed to be what they are
 * declared as, unless that is a type whose bytes would tell it.
 */
export function conflictsWithDetected(declared: string, detected: string | undefined): boolean {
  if (detected === undefined) return hasKnownSignature(declared);
  if (detected === declared) return false;
  return !containers.some((each) => each.detected.test(detected) && each.declared.test(declared));
}

/** Media containers have too many dialects for their bytes to be known each time; there is nothing active in them. */
function hasKnownSignature(type: string): boolean {
  if (type === 'text/calendar' || type === 'text/vcard') return false;
  if (/^(audio|video)\//.test(type))
    return ['video/mp4', 'video/webm', 'audio/wav', 'audio/flac'].includes(type);
  return (supportedMimeTypes as ReadonlySet<string>).has(type) && type !== 'application/xml';
}
